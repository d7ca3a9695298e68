"""Immutable objects, and results: the objects of docs/json.md.

The functions of `dataclasses` accept results. The module `dataclasses` is imported only when one of
these functions needs it, because its import takes longer than the import of this whole package.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar

    from typing_extensions import Self

    from ._errors import PuzzleError


_decode: Any = None


def loads(text: str) -> Any:
    """The value of a JSON text without spaces around it. The module `json` is imported on first
    use."""
    global _decode
    if _decode is None:
        from json import JSONDecoder

        _decode = JSONDecoder().raw_decode
    return _decode(text)[0]


def _restored(cls: type[Frozen], values: dict[str, Any]) -> Frozen:
    return cls._made(**values)


class Frozen:
    """Base class of immutable objects, whose slots are their values."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls.__module__ = "sliding_tile_pdb"

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def _made(cls, **values: Any) -> Self:
        """An object without its constructor."""
        made = object.__new__(cls)
        made._set(**values)
        return made

    def _values(self) -> dict[str, Any]:
        slots = (name for cls in type(self).__mro__ for name in getattr(cls, "__slots__", ()))
        return {name: getattr(self, name) for name in slots if hasattr(self, name)}

    def _key(self) -> Any:
        return tuple(self._values().values())

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} objects cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} objects cannot be changed")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frozen) or type(self) is not type(other):
            return NotImplemented
        return bool(self._key() == other._key())

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._values())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


_classes: dict[str, type[Result]] = {}


def _class_of(kind: str) -> type[Result] | None:
    """The class of results that an annotation contains, such as `tuple[Iteration, ...]`."""
    words = kind.replace("[", " ").replace(",", " ").split()
    return next((_classes[word] for word in words if word in _classes), None)


def _read(value: Any, kind: str) -> Any:
    """The value of a field: lists become tuples, and objects become results."""
    if isinstance(value, list):
        return tuple([_read(item, kind) for item in value])
    if isinstance(value, dict):
        cls = _class_of(kind)
        return {**value} if cls is None else cls._of(value)
    return value


def _field(name: str, kind: str, about: str | None) -> property:
    """The attribute of a field."""

    def read(result: Result) -> Any:
        value = result._fields.get(name)
        return _read(value, kind) if isinstance(value, (list, dict)) else value

    return property(read, doc=about)


def _plain(value: Any, kind: str = "") -> Any:
    """A copy of a value as JSON, without the unknown fields of results."""
    if isinstance(value, Result):
        value, kind = value._fields, type(value).__name__
    if isinstance(value, dict):
        cls = _class_of(kind)
        kinds = dict.fromkeys(value, "") if cls is None else cls.__annotations__
        return {name: _plain(own, kinds[name]) for name, own in value.items() if name in kinds}
    return [_plain(item, kind) for item in value] if isinstance(value, (list, tuple)) else value


def _shortened(value: object) -> str:
    """The text of a field; long lists are shown by their length."""
    if isinstance(value, tuple) and len(value) > 2 and not isinstance(value[0], int):
        return f"<{len(value)} {type(value[0]).__name__} objects>"
    return repr(value)


class _DataclassFields:
    """The fields as the module `dataclasses` describes them, created on first use."""

    def __get__(self, _result: object, cls: type[Result]) -> dict[str, Any]:
        from dataclasses import field, make_dataclass

        fields = [(name, object, field(default=None)) for name in cls.__match_args__]
        made: Any = make_dataclass(cls.__name__, fields)
        described: dict[str, Any] = made.__dataclass_fields__
        return described


class Result(Frozen):
    """Base class of all results: frozen objects that can be compared and pickled.

    Fields are those of the object in docs/json.md; fields that do not apply are None. The functions
    of `dataclasses`, and pandas, accept results as dataclasses.
    """

    __slots__ = ("_fields",)
    __match_args__: ClassVar[tuple[str, ...]] = ()
    __dataclass_fields__: ClassVar[dict[str, Any]] = _DataclassFields()  # type: ignore[assignment]
    _fields: dict[str, Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__match_args__ = tuple(cls.__annotations__)  # type: ignore[misc]
        lines = (line.strip() for line in (cls.__doc__ or "").splitlines())
        about = dict(line[3:].split("`: ", 1) for line in lines if line.startswith("- `"))
        for name, kind in cls.__annotations__.items():
            setattr(cls, name, _field(name, kind, about.get(name)))
        _classes[cls.__name__] = cls

    def __init__(self, **fields: Any) -> None:
        for name in fields:
            if name not in self.__match_args__:
                known = ", ".join(self.__match_args__)
                raise TypeError(f"{type(self).__name__} has no field {name!r}: expected {known}")
        fields = {name: value for name, value in fields.items() if value is not None}
        self._set(_fields=_plain(fields, type(self).__name__))

    @classmethod
    def _of(cls, fields: dict[str, Any]) -> Self:
        """Creates a result from a dict of fields, without copying the dict."""
        made = object.__new__(cls)
        _set_fields(made, fields)
        return made

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Creates a result from fields, such as a line of `--json`. Unknown fields, such as those
        of a later version, are ignored.

        >>> from sliding_tile_pdb import Report
        >>> Report.from_dict({"status": "solved", "length": 31}).length
        31
        """
        return cls._of(_plain(dict(fields), cls.__name__))

    def to_dict(self) -> dict[str, Any]:
        """The `--json` object: plain values, without the fields that do not apply."""
        fields: dict[str, Any] = _plain(self)
        return fields

    def _key(self) -> Any:
        return {name: value for name, value in self._fields.items() if value is not None}

    def __hash__(self) -> int:
        # Equal results have equal fields; lists and objects are left out.
        fields = self._key().items()
        return hash(frozenset(item for item in fields if not isinstance(item[1], (list, dict))))

    def __repr__(self) -> str:
        fields = (f"{name}={_shortened(getattr(self, name))}" for name in self._fields)
        return f"{type(self).__name__}({', '.join(fields)})"

    def __replace__(self, /, **changes: Any) -> Self:
        return type(self)(**{**self._fields, **changes})


_set_fields = Result.__dict__["_fields"].__set__


class Drawing(Result):
    """A result with a board, which notebooks draw."""

    __slots__ = ("_context",)

    def svg(self) -> str:
        """The board as SVG; a solution is animated."""
        from ._board import Board

        fields = self._fields
        goal, size, notation = getattr(self, "_context", (None, None, None))
        moves = fields.get("moves")
        return Board(fields["board"], size).svg(moves, notation=notation, goal=goal)

    def _repr_svg_(self) -> str | None:
        # If there is no board to draw, None makes the notebook show the `repr`.
        is_drawn = self._fields.get("status") != "error" and "board" in self._fields
        return self.svg() if is_drawn else None


class Truth(Result):
    """A result with a truth value."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self._fields["solvable"])


def error_of(text: str) -> PuzzleError:
    """The exception of a failure, which is given as JSON. Called by the native module."""
    from ._contract import Report
    from ._errors import BY_CODE

    fields = loads(text)
    code, message, fault = fields.pop("code"), fields.pop("message"), fields.pop("fault", None)
    report = None
    if "status" in fields:
        if code != "cancelled":
            fields["message"] = message
        report = Report._of(fields)
    return BY_CODE[code](message, report, fault)
