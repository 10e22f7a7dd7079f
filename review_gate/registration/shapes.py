"""What a value in a settings file has to be, and what is not so; hooks may ask it, so it stays free of imports."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# Beyond it a number has no exact place in a JavaScript program.
MOST = 2**53 - 1
LONGEST = 60


class Shape:
    """What a value has to be, in words and as a test, and the shapes of what is in it."""

    __slots__ = ("each", "fits", "is_closed", "is_word", "kind_key", "kinds", "members", "needs", "takes_null", "words")

    def __init__(
        self,
        words: str,
        fits: "Callable[[object], bool]",
        *,
        members: "Mapping[str, Shape] | None" = None,
        needs: tuple[str, ...] = (),
        is_closed: bool = False,
        each: "Shape | None" = None,
        kind_key: str = "",
        kinds: "Mapping[str, Shape] | None" = None,
        takes_null: bool = False,
        is_word: bool = False,
    ) -> None:
        self.words = words
        self.fits = fits
        # Of an object: members with a shape of their own, those that may not be left out, and whether others may be.
        self.members = members or {}
        self.needs = needs
        self.is_closed = is_closed
        # The shape of every other member of an object, or of every item of a list.
        self.each = each
        # The member by which an object says which kind of several it is.
        self.kind_key = kind_key
        self.kinds = kinds or {}
        self.takes_null = takes_null
        # A text of which a later version of the agent may know more.
        self.is_word = is_word


def misfits(value: object, shape: Shape, path: str = "", *, any_word: bool = False) -> "Iterator[str]":
    """What in a value is not as it has to be, each in words that begin with its place; `any_word`: but for words."""
    if (value is None and shape.takes_null) or (any_word and shape.is_word and isinstance(value, str)):
        return
    if not shape.fits(value):
        yield f"{path} must be {shape.words}"
    elif isinstance(value, dict):
        yield from _in_object(value, _of_kind(value, shape), path, any_word=any_word)
    elif isinstance(value, list) and shape.each is not None:
        for number, item in enumerate(value):
            yield from misfits(item, shape.each, f"{path}[{number}]", any_word=any_word)


def _of_kind(value: "Mapping[str, object]", shape: Shape) -> Shape:
    if not shape.kinds:
        return shape
    kind = value.get(shape.kind_key)
    known = shape.kinds.get(kind) if isinstance(kind, str) else None
    # Which kind it is comes first: without it nobody can tell what else it needs.
    return known or record(shape.kind_key, **{shape.kind_key: one_of(*shape.kinds)})


def _in_object(value: "Mapping[str, object]", shape: Shape, path: str, *, any_word: bool) -> "Iterator[str]":
    yield from (f"{below(path, key)} must be there" for key in shape.needs if key not in value)
    for key, member in value.items():
        inner = shape.members.get(key, shape.each)
        if inner is not None:
            yield from misfits(member, inner, below(path, key), any_word=any_word)
        elif shape.is_closed:
            yield f"{below(path, key)} may not be there"


def below(path: str, key: str) -> str:
    """The place of a member in words."""
    # Whatever somebody may have chosen as a key; it stays on one line.
    shown = repr(key)[1:-1][:LONGEST] or '""'
    return f"{path}.{shown}" if path else shown


def one_of(*words: str) -> Shape:
    """One of certain texts."""
    fits = frozenset(words)
    given = words[0] if len(words) == 1 else f"one of {', '.join(words)}"
    return Shape(given, lambda value: isinstance(value, str) and value in fits, is_word=True)


def number(words: str, fits: "Callable[[float], bool]" = lambda value: abs(value) != float("inf")) -> Shape:
    """A number within bounds; true and false are none."""
    return Shape(words, lambda value: isinstance(value, int | float) and not isinstance(value, bool) and fits(value))


def whole(least: int) -> Shape:
    """A whole number; 5.0 is one too."""
    return number(f"a whole number from {least} on", lambda value: least <= value <= MOST and value == int(value))


def list_of(each: Shape | None = None, words: str = "a list") -> Shape:
    """A list whose items have one shape."""
    return Shape(words, lambda value: isinstance(value, list), each=each)


def map_of(each: Shape) -> Shape:
    """An object whose members all have one shape."""
    return Shape("an object", lambda value: isinstance(value, dict), each=each)


def record(*needs: str, **members: Shape) -> Shape:
    """An object with members of their own shapes, some of which may not be left out; others may stand beside them."""
    return Shape("an object", lambda value: isinstance(value, dict), members=members, needs=needs)


def closed(**members: Shape) -> Shape:
    """An object that has no other members than these."""
    return Shape("an object", lambda value: isinstance(value, dict), members=members, is_closed=True)


def kinds_by(key: str, **kinds: Shape) -> Shape:
    """An object of one of several kinds."""
    return Shape("an object", lambda value: isinstance(value, dict), kind_key=key, kinds=kinds)


def any_of(words: str, *shapes: Shape) -> Shape:
    """Whatever has one of several shapes."""
    return Shape(words, lambda value: any(not list(misfits(value, shape)) for shape in shapes))


def or_null(shape: Shape) -> Shape:
    """A shape in whose place null is as good as nothing."""
    return Shape(
        shape.words,
        shape.fits,
        members=shape.members,
        needs=shape.needs,
        each=shape.each,
        takes_null=True,
        is_word=shape.is_word,
    )


def named(words: str) -> list[str]:
    """The names that stand in a text; so many of them would take a line each."""
    return words.split()


TEXT = Shape("a text", lambda value: isinstance(value, str))
FILLED = Shape("a text that is not empty", lambda value: isinstance(value, str) and value != "")
FLAG = Shape("true or false", lambda value: isinstance(value, bool))
NUMBER = number("a number")
TEXTS = list_of(TEXT)
ANY_LIST = list_of()
