"""The public attributes of `torch.nn.Module`, and the names under which books know it."""

from collections.abc import Iterable, Iterator

from auditor.audited import BlockAudit
from auditor.model import Imported

# Source: the class reference of torch.nn.Module, PyTorch 2.x; names with an underscore are never judged.
_ATTRIBUTES = """
T_destination add_module apply bfloat16 buffers call_super_init children compile cpu cuda double dump_patches eval
extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu load_state_dict modules mtia
named_buffers named_children named_modules named_parameters parameters register_backward_hook register_buffer
register_forward_hook register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook
register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module register_parameter
register_state_dict_post_hook register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory
state_dict to to_empty train training type xpu zero_grad
"""
ATTRIBUTES = frozenset(_ATTRIBUTES.split())
NAMES = frozenset({"nn.Module", "torch.nn.Module"})


def is_torch(base: str, blocks: Iterable[BlockAudit]) -> bool:
    """Whether a base is PyTorch's module, by the name that books give it, unless some block has it otherwise."""
    if base not in NAMES:
        return False
    root = base.partition(".")[0]
    return all(each.module.partition(".")[0] == "torch" for block in blocks for each in _imports(block, root))


def _imports(block: BlockAudit, name: str) -> Iterator[Imported]:
    names = block.names
    yield from (each for each in (names.imports if names is not None else ()) if each.bound == name)
