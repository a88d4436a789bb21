"""Why a run has nothing to look at: no file of a book under its paths, or all of them excluded by a setting."""

from auditor.configuration import Configuration, path_matcher
from auditor.discover import Discovery
from auditor.report.counting import counted


def all_is_excluded(configuration: Configuration, discovery: Discovery) -> bool:
    """Whether there are files under the paths, and the user's own `exclude` leaves out every one."""
    return not discovery.candidates and bool(_excluded(configuration, discovery))


def why_nothing(configuration: Configuration, discovery: Discovery) -> str:
    """The reason, with the setting and its line where there is one."""
    excluded = _excluded(configuration, discovery)
    if not excluded:
        return "no Markdown or Python file under the paths"
    guilty = [pattern for pattern in configuration.exclude if any(map(path_matcher((pattern,)), excluded))]
    one = next((pattern for pattern in guilty if all(map(path_matcher((pattern,)), excluded))), None)
    which = f"{one!r}" if one is not None else ", ".join(map(repr, guilty))
    verb = "leaves" if one is not None or len(guilty) == 1 else "leave"
    place = configuration.place("exclude", one if one is not None else guilty[0])
    files = counted("the one file|the {0} files", len(excluded))
    return f"{place}: {which} {verb} out {files} under the paths"


def _excluded(configuration: Configuration, discovery: Discovery) -> list[str]:
    excludes = path_matcher(configuration.exclude)
    return [left.path for left in discovery.left_out if left.status == "excluded" and excludes(left.path)]
