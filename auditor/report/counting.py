"""A number with its words: English has one form for one thing and another for all other numbers, Chinese has one."""


def counted(words: str, number: int) -> str:
    """The words for a number, `{0}` in them; where there are two forms, the one for 1 stands before a bar."""
    one, _, many = words.partition("|")
    return (one if number == 1 or not many else many).format(number)
