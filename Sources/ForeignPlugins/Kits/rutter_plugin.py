"""Write a plugin of the wayfinding workbench Rutter in Python, with the standard library alone.

    from rutter_plugin import Plugin, Parameter

    plugin = Plugin("tides", "1.0", "high and low water")

    @plugin.command(
        "tides today", "list the tides of a day",
        parameters=[Parameter("place", "place", "where")],
        gives="rows: time height", effect="pure",
        examples=[{"title": "Brest", "line": "tides today 48.38,-4.49 | count", "gives": "4"}])
    def today(call, place):
        ...

    plugin.run()

A function receives a `Call` and the arguments by name, with dashes as underscores; it returns a value or raises `Error`.
"""

import datetime
import json
import select
import sys

__version__ = "1.0"
PROTOCOL = 1


class Quantity:
    """A number with a unit of the command language, such as Quantity(2.5, "km")."""

    def __init__(self, amount, unit):
        self.amount, self.unit = amount, unit

    def __eq__(self, other):
        return isinstance(other, Quantity) and (self.amount, self.unit) == (other.amount, other.unit)

    def __repr__(self):
        return f"Quantity({self.amount!r}, {self.unit!r})"


class Coordinate:
    """A coordinate: degrees north and east, and metres above the sea where they are known."""

    def __init__(self, latitude, longitude, altitude=None):
        self.latitude, self.longitude, self.altitude = latitude, longitude, altitude

    def __eq__(self, other):
        return isinstance(other, Coordinate) and vars(self) == vars(other)

    def __repr__(self):
        return f"Coordinate({self.latitude!r}, {self.longitude!r}, {self.altitude!r})"


class Box:
    """The box between two parallels and two meridians, in degrees."""

    def __init__(self, south, west, north, east):
        self.south, self.west, self.north, self.east = south, west, north, east


class Table:
    """Rows of cells under columns; `incomplete` states why rows are missing, if some are."""

    def __init__(self, columns, rows, incomplete=None):
        self.columns, self.rows, self.incomplete = list(columns), rows, incomplete


class Line:
    """A line of points (latitude, longitude, altitude or None, datetime or None), the last two optional."""

    def __init__(self, points):
        self.points = points


class Thing:
    """A value of a kind of the plugin's own, shown by its fields."""

    def __init__(self, type, **fields):
        self.type, self.fields = type, fields


class Error(Exception):
    """An error with a stable code that begins with E- and the plugin's name, and what to do about it. `argument` is the
    parameter whose word is wrong, `item` which of its values (from 0) where it repeats, `range` the characters of the
    value: the first, and the one after the last."""

    def __init__(self, code, message, fix=None, argument=None, item=None, range=None):
        super().__init__(message)
        self.code, self.message, self.fix, self.argument = code, message, fix, argument
        self.item, self.range = item, range


class Cancelled(Exception):
    """The user pressed Ctrl-C."""


def encode(value):
    """A value as JSON of the protocol."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if value != value:
            return {"$number": "nan"}
        if value in (float("inf"), float("-inf")):
            return {"$number": "inf" if value > 0 else "-inf"}
        return value
    if isinstance(value, Quantity):
        return {"$quantity": [value.amount, value.unit]}
    if isinstance(value, Coordinate):
        numbers = [value.latitude, value.longitude]
        return {"$coordinate": numbers if value.altitude is None else numbers + [value.altitude]}
    if isinstance(value, Box):
        return {"$box": [value.south, value.west, value.north, value.east]}
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError("a datetime has no time zone")
        return {"$date": value.isoformat(timespec="milliseconds" if value.microsecond else "seconds")}
    if isinstance(value, Table):
        table = {"columns": value.columns, "rows": [[encode(cell) for cell in row] for row in value.rows]}
        if value.incomplete:
            table["incomplete"] = value.incomplete
        return {"$table": table}
    if isinstance(value, Line):
        points = []
        for point in value.points:
            point = list(point)
            if len(point) > 3 and point[3] is not None:
                point[3] = encode(point[3])["$date"]
            points.append(point)
        return {"$line": points}
    if isinstance(value, Thing):
        return {"$object": {"type": value.type, "fields": {k: encode(v) for k, v in value.fields.items()}}}
    if isinstance(value, dict):
        if any(str(key).startswith("$") for key in value):
            return {"$record": [[key, encode(item)] for key, item in value.items()]}
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    raise TypeError(f"{type(value).__name__} cannot be sent to the workbench")


def decode(tree):
    """The value of JSON of the protocol."""
    if isinstance(tree, list):
        return [decode(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if len(tree) == 1:
        (tag, content), = tree.items()
        if tag == "$quantity":
            return Quantity(*content)
        if tag == "$coordinate":
            return Coordinate(*content)
        if tag == "$box":
            return Box(*content)
        if tag == "$date":
            return datetime.datetime.fromisoformat(content.replace("Z", "+00:00"))
        if tag == "$number":
            return float(content)
        if tag == "$table":
            rows = [[decode(cell) for cell in row] for row in content["rows"]]
            return Table(content["columns"], rows, content.get("incomplete"))
        if tag == "$line":
            return Line([point[:3] + [decode({"$date": time}) for time in point[3:] if time] for point in content])
        if tag == "$record":
            return {key: decode(item) for key, item in content}
        if tag == "$object":
            return Thing(content["type"], **{key: decode(item) for key, item in content["fields"].items()})
    return {key: decode(item) for key, item in tree.items()}


class Parameter:
    """A parameter of a command. `kind` is positional, option or flag; `type` one of text, integer, number, boolean, length,
    duration, angle, speed, ratio, frequency, pace, place, box, date, choice, field, value, words, input-file, output-file,
    input-path. `complete` is a function of the text typed so far that returns candidates."""

    def __init__(self, name, type="text", summary="", kind="positional", complete=None, **more):
        self.name, self.complete = name, complete
        self.declaration = {"name": name, "type": type, "summary": summary, "kind": kind, **more}
        if complete:
            self.declaration["complete"] = True


class Call:
    """One call of a command: its input, and access to the session."""

    def __init__(self, plugin, id, input, seed, clock):
        self.plugin, self.id, self.input, self.seed = plugin, id, input, seed
        self.clock = datetime.datetime.fromisoformat(clock.replace("Z", "+00:00"))
        self.is_cancelled = False

    def check(self):
        """Raises Cancelled after Ctrl-C; to be called at least every 50 ms of work."""
        self.plugin._look_for_cancel(self)
        if self.is_cancelled:
            raise Cancelled()

    def progress(self, done, total=None, message=None):
        """Reports progress."""
        self._notify("progress", done=done, total=total, message=message)

    def log(self, message, level="info"):
        """Writes to the log: debug, info, notice, warning or error."""
        self._notify("log", level=level, message=message)

    def trace(self, kind, why, **values):
        """Records a decision, which `trace` and `step` show."""
        self._notify("trace", step={"kind": kind, "why": why, "values": {k: encode(v) for k, v in values.items()}})

    def send_rows(self, columns, rows):
        """Sends a part of a large table; the function then returns a Table with the same columns and the last rows."""
        self._notify("rows", columns=columns, rows=[[encode(cell) for cell in row] for row in rows])

    def run(self, line, input=None):
        """The value of a pipeline of the session. Its commands have the permissions of this command."""
        return decode(self._ask("host/run", line=line, input=encode(input)))

    def random(self):
        """A random number from 0 to 1 from the session's generator."""
        return self._ask("host/random")

    def now(self):
        """The session's current time."""
        return decode(self._ask("host/now"))

    def _notify(self, method, **params):
        params["id"] = self.id
        self.plugin._write({"jsonrpc": "2.0", "method": method, "params": params})

    def _ask(self, method, **params):
        return self.plugin._request(method, params, self)


class Plugin:
    """A plugin: declare commands, then call run()."""

    def __init__(self, name, version, summary, values=(), errors=()):
        self.name, self.version, self.summary = name, version, summary
        self.values, self.errors = list(values), list(errors)
        self.commands = {}
        self._next = 1
        self._buffer = b""
        self._waiting = []
        self._output = sys.stdout

    def command(self, name, summary, parameters=(), details="", takes="nothing", gives="any", effect="changes",
                examples=(), terms=()):
        """Declares the function below it as a command."""
        def declare(function):
            self.commands[name] = (function, list(parameters), {
                "name": name, "summary": summary, "details": details,
                "parameters": [parameter.declaration for parameter in parameters], "takes": takes, "gives": gives,
                "effect": effect, "examples": list(examples), "terms": list(terms)})
            return function
        return declare

    def run(self):
        """Serves requests until `shutdown`. Printed text goes to standard error: standard output is for messages
        alone."""
        sys.stdout = sys.stderr
        while True:
            message = self._waiting.pop(0) if self._waiting else self._read()
            if message is None:
                return
            if "method" not in message or "id" not in message:
                continue
            if message["method"] == "shutdown":
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": None})
                return
            self._answer(message)

    # Messages

    def _answer(self, message):
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = self._result(message["method"], message.get("params") or {}, message["id"])
        except Error as error:
            data = {"code": error.code, "fix": error.fix, "argument": error.argument, "item": error.item,
                    "range": list(error.range) if error.range else None}
            reply["error"] = {"code": -32000, "message": error.message,
                              "data": {key: item for key, item in data.items() if item is not None}}
        except Cancelled:
            reply["error"] = {"code": -32001, "message": "stopped"}
        except LookupError as error:
            reply["error"] = {"code": -32601, "message": str(error.args[0]) if error.args else "not found"}
        except Exception as error:  # Reported as an error; the plugin keeps running.
            reply["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
        self._write(reply)

    def _result(self, method, params, id):
        if method == "initialize":
            if params.get("protocol") != PROTOCOL:
                raise Error(f"E-{self.name.upper()}-PROTOCOL", f"this plugin supports protocol {PROTOCOL}")
            return {"name": self.name, "version": self.version, "summary": self.summary,
                    "commands": [declaration for _, _, declaration in self.commands.values()],
                    "values": self.values, "errors": self.errors}
        if method == "run":
            function, _, _ = self._command(params)
            call = Call(self, id, decode(params.get("input")), params.get("seed", 0),
                        params.get("clock", "1970-01-01T00:00:00Z"))
            arguments = {name.replace("-", "_"): decode(item) for name, item in params["arguments"].items()}
            return {"value": encode(function(call, **arguments))}
        if method == "complete":
            _, parameters, _ = self._command(params)
            for parameter in parameters:
                if parameter.name == params["parameter"] and parameter.complete:
                    return {"candidates": list(parameter.complete(params["text"]))}
            return {"candidates": []}
        raise LookupError(f"no method {method}")

    def _command(self, params):
        try:
            return self.commands[params["command"]]
        except KeyError:
            raise LookupError(f"no command {params.get('command')}") from None

    def _request(self, method, params, call):
        id = f"{self.name}-{self._next}"
        self._next += 1
        self._write({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        while True:
            message = self._read()
            if message is None:
                raise SystemExit(1)
            if message.get("id") == id and "method" not in message:
                if "error" in message:
                    facts = message["error"].get("data") or {}
                    raise Error(facts.get("code"), message["error"]["message"], facts.get("fix"))
                return message["result"]["value"]
            self._keep(message, call)

    def _keep(self, message, call):
        if message.get("method") == "cancel":
            call.is_cancelled = call.is_cancelled or message["params"].get("id") == call.id
        else:
            self._waiting.append(message)

    def _look_for_cancel(self, call):
        while b"\n" in self._buffer or select.select([sys.stdin.buffer.raw], [], [], 0)[0]:
            message = self._read()
            if message is None:
                raise SystemExit(1)
            self._keep(message, call)

    def _read(self):
        """The next message; None at the end of the input. A line that is not a message is reported on standard error."""
        while True:
            while b"\n" not in self._buffer:
                piece = sys.stdin.buffer.raw.read(1 << 16)
                if not piece:
                    return None
                self._buffer += piece
            line, self._buffer = self._buffer.split(b"\n", 1)
            try:
                message = json.loads(line)
                if isinstance(message, dict):
                    return message
            except ValueError:
                pass
            # JSON-RPC would answer an unreadable line with id null, which this host does not use.
            print("invalid message", file=sys.stderr, flush=True)

    def _write(self, message):
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        self._output.buffer.write(text.encode() + b"\n")
        self._output.buffer.flush()
