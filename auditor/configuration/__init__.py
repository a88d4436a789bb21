"""`auditor.toml` or `[tool.auditor]` in `pyproject.toml`: read, checked key by key, as one frozen value."""

from auditor.configuration.finding import (
    find_configuration,
    load_configuration,
    parse_configuration,
    required_python,
)
from auditor.configuration.patterns import (
    path_matcher,
)
from auditor.configuration.values import (
    MOST,
    Book,
    Configuration,
    ConfigurationError,
    FailLevel,
    Flavour,
    Limits,
    PathRules,
    check_target,
)

__all__ = [
    "MOST",
    "Book",
    "Configuration",
    "ConfigurationError",
    "FailLevel",
    "Flavour",
    "Limits",
    "PathRules",
    "check_target",
    "find_configuration",
    "load_configuration",
    "parse_configuration",
    "path_matcher",
    "required_python",
]
