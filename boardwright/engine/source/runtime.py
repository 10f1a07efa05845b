# What a game's texts and pictures need of Python's library and of NumPy, in plain Python: this file is put before them
# in the exported page, where there is neither.


class Array:
    """Numbers or records in a list, indexed as NumPy's arrays are."""

    def __init__(self, items):
        self._items = items

    def __getitem__(self, index):
        if isinstance(index, tuple):
            found = self
            for place, part in enumerate(index):
                if isinstance(part, slice):
                    return Array([row[index[place + 1 :]] if index[place + 1 :] else row for row in found[part]])
                found = found[part]
            return found
        found = self._items[index]
        return Array(found) if isinstance(index, slice) else found

    def __setitem__(self, index, value):
        if isinstance(index, tuple):
            self[index[:-1] if len(index) > 2 else index[0]][index[-1]] = value
        elif isinstance(index, slice):
            places = range(*index.indices(len(self._items)))
            values = list(value) if hasattr(value, "__iter__") else [value] * len(places)
            for place, item in zip(places, values):
                self._items[place] = item
        else:
            self._items[index] = value

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, value):
        return value in self._flat()

    def _flat(self):
        return [x for item in self._items for x in (item._flat() if isinstance(item, Array) else [item])]

    def _each(self, other, combine):
        if isinstance(other, Array):
            return Array([combine(x, y) for x, y in zip(self._items, other._items)])
        return Array([x._each(other, combine) if isinstance(x, Array) else combine(x, other) for x in self._items])

    def __eq__(self, other):
        return self._each(other, lambda x, y: x == y)

    def __ne__(self, other):
        return self._each(other, lambda x, y: x != y)

    def __lt__(self, other):
        return self._each(other, lambda x, y: x < y)

    def __gt__(self, other):
        return self._each(other, lambda x, y: x > y)

    def __le__(self, other):
        return self._each(other, lambda x, y: x <= y)

    def __ge__(self, other):
        return self._each(other, lambda x, y: x >= y)

    def __add__(self, other):
        return self._each(other, lambda x, y: x + y)

    def __sub__(self, other):
        return self._each(other, lambda x, y: x - y)

    def __mul__(self, other):
        return self._each(other, lambda x, y: x * y)

    def __and__(self, other):
        return self._each(other, lambda x, y: x & y)

    def __or__(self, other):
        return self._each(other, lambda x, y: x | y)

    @property
    def size(self):
        return len(self._flat())

    @property
    def shape(self):
        inner = self._items[0].shape if self._items and isinstance(self._items[0], Array) else ()
        return (len(self._items), *inner)

    @property
    def ndim(self):
        return len(self.shape)

    def item(self, index=0):
        return self._flat()[index]

    def tolist(self):
        return [item.tolist() if isinstance(item, Array) else item for item in self._items]

    def copy(self):
        return Array([item.copy() if isinstance(item, Array) else item for item in self._items])

    def sum(self):
        return sum(self._flat())

    def any(self):
        return any(self._flat())

    def all(self):
        return all(self._flat())

    def max(self):
        return max(self._flat())

    def min(self):
        return min(self._flat())

    def nonzero(self):
        return (Array([place for place, item in enumerate(self._items) if item]),)


def array_of(values):
    """Nested lists as arrays."""
    return Array([array_of(value) if isinstance(value, list) else value for value in values])


def _shaped(shape, value):
    if not isinstance(shape, tuple):
        return Array([value] * shape)
    if len(shape) == 1:
        return Array([value] * shape[0])
    return Array([_shaped(shape[1:], value) for _ in range(shape[0])])


class np:
    int8 = int16 = int32 = int64 = uint8 = uint16 = uint32 = uint64 = int
    float32 = float64 = float
    integer = (int,)

    @staticmethod
    def zeros(shape, kind=None):
        return _shaped(shape, 0)

    empty = zeros

    @staticmethod
    def array(values, kind=None):
        return array_of(list(values))

    asarray = array

    @staticmethod
    def isin(values, wanted):
        return Array([np.isin(value, wanted) if isinstance(value, Array) else value in wanted for value in values])

    @staticmethod
    def argwhere(values):
        found = []
        for place, value in enumerate(values):
            inside = np.argwhere(value) if isinstance(value, Array) else [()] if value else []
            found += [Array([place, *rest]) for rest in inside]
        return Array(found)

    @staticmethod
    def flatnonzero(values):
        return Array([place for place, value in enumerate(values) if value])

    @staticmethod
    def count_nonzero(values):
        return sum(1 for value in values if value)

    @staticmethod
    def sum(values):
        return sum(values)


try:
    from javascript import Math
except ImportError:
    import math
else:

    class math:
        pi = 3.141592653589793
        inf = float("inf")

        @staticmethod
        def sin(x):
            return Math.sin(x)

        @staticmethod
        def cos(x):
            return Math.cos(x)

        @staticmethod
        def sqrt(x):
            return Math.sqrt(x)

        @staticmethod
        def ceil(x):
            return int(Math.ceil(x))

        @staticmethod
        def floor(x):
            return int(Math.floor(x))


class Record:
    """The fields of a state by name."""


def record_in(memory, fields, start=0):
    """The record in a state's bytes, by the field list of the manifest."""
    found = Record()
    for field in fields:
        setattr(found, field["name"], _read(memory, field, start + field["offset"], tuple(field["shape"]))[0])
    return found


def _read(memory, field, place, shape):
    if shape:
        items = []
        for _ in range(shape[0]):
            item, place = _read(memory, field, place, shape[1:])
            items.append(item)
        return Array(items), place
    if "fields" in field:
        return record_in(memory, field["fields"], place), place + field["size"]
    kind = field["type"]
    size = int(kind[1:]) if kind != "b1" else 1
    if kind == "b1":
        return bool(memory[place]), place + 1
    value = 0
    for i in range(size - 1, -1, -1):
        value = value << 8 | memory[place + i]
    if kind[0] == "f":
        return _float_of(value, 23 if size == 4 else 52, 8 * size), place + size
    if kind[0] == "i" and memory[place + size - 1] & 128:
        value -= 1 << 8 * size
    return value, place + size


def _float_of(bits, mantissa_bits, width):
    """The number that IEEE 754 writes with these bits."""
    sign = -1.0 if bits >> (width - 1) else 1.0
    exponent_bits = width - 1 - mantissa_bits
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (mantissa | 1 << mantissa_bits) * 2.0 ** (exponent - bias - mantissa_bits)


def escape(text, entities={}):
    text = text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")
    for key, value in entities.items():
        text = text.replace(key, value)
    return text


def quoteattr(text, entities={}):
    text = escape(text, {**entities, "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
    if '"' in text:
        return "'" + text + "'" if "'" not in text else '"' + text.replace('"', "&quot;") + '"'
    return '"' + text + '"'


class _Block:
    def __init__(self, steps):
        self._steps = steps

    def __enter__(self):
        return next(self._steps)

    def __exit__(self, *error):
        if error[0] is None:
            for _ in self._steps:
                pass
        return False


def contextmanager(function):
    def begin(*arguments, **named):
        return _Block(function(*arguments, **named))

    return begin


class Counter(dict):
    def __init__(self, items=()):
        for item in items:
            self[item] = self.get(item, 0) + 1

    def __missing__(self, key):
        return 0

    def most_common(self, n=None):
        ranked = sorted(self.items(), key=lambda pair: -pair[1])
        return ranked if n is None else ranked[:n]


try:
    from javascript import JSON
except ImportError:
    from json import loads as from_json
else:
    from_json = JSON.parse

_CASTS = {"int": int, "float": float}
_CONTAINERS = {"tuple": tuple, "list": list, "set": set, "frozenset": frozenset}
_KNOWN = {}  # objects by their number


def value_of(text, used):
    """A constant as it was when the page was exported; `used` are the functions and classes in it."""
    return _value(from_json(text), used)


def _value(node, used):
    if not isinstance(node, list):
        return node
    kind = node[0]
    if kind == "made":
        _KNOWN[node[1]] = found = object.__new__(used[node[2]])
        for name, value in zip(node[3], node[4]):
            object.__setattr__(found, name, _value(value, used))
        return found
    if kind in _CONTAINERS:
        return _CONTAINERS[kind]([_value(entry, used) for entry in node[1:]])
    if kind == "dict":
        return {_value(key, used): _value(value, used) for key, value in zip(node[1], node[2])}
    if kind == "known":
        return _KNOWN[node[1]]
    if kind == "used":
        return used[node[1]]
    if kind == "call":
        return used[node[1]](*[_value(entry, used) for entry in node[2:]])
    if kind == "array":
        return _array(node[2], _CASTS.get(node[1]))
    return _CASTS[kind](node[1]) if kind in _CASTS else None


def _array(values, cast):
    if values and isinstance(values[0], list):
        return Array([_array(row, cast) for row in values])
    return Array([cast(value) for value in values] if cast else values)


def named_tuple(name, fields, defaults):
    """A class of tuples whose entries have names."""

    def new(cls, *values, **named):
        rest = [named[field] if field in named else defaults[field] for field in fields[len(values) :]]
        return tuple.__new__(cls, (*values, *rest))

    def entry(place):
        return property(lambda self: self[place])

    members = {"__new__": new, "_fields": fields}
    members.update({field: entry(place) for place, field in enumerate(fields)})
    return type(name, (tuple,), members)
