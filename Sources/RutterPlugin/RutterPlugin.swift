// A kit in one file for writing plugins of the wayfinding workbench Rutter in Swift. Requires only Foundation.
import Foundation

/// A value exchanged with the workbench.
public indirect enum PluginValue {
    /// No value.
    case nothing
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// Text.
    case text(String)
    /// A number with a unit of the command language, such as 2.5 and `km`.
    case quantity(Double, String)
    /// A coordinate: degrees north and east, and metres above sea level if known.
    case coordinate(latitude: Double, longitude: Double, altitude: Double? = nil)
    /// An instant.
    case date(Date)
    /// Values in order.
    case list([PluginValue])
    /// Named fields in order.
    case record([(String, PluginValue)])
    /// Rows of cells under columns.
    case table(columns: [String], rows: [[PluginValue]])
    /// A line of coordinates, drawn on maps; an area's outline is closed.
    case line([(latitude: Double, longitude: Double)])
}

/// An error with a stable code that begins with `E-` and the plugin's name, and a fix.
public struct PluginError: Error {
    /// Such as `E-TIDES-PLACE`.
    public var code: String
    /// The message, one sentence without a full stop.
    public var message: String
    /// The fix: what to do or write instead.
    public var fix: String?
    /// The parameter whose word is wrong.
    public var argument: String?
    /// Which of its values, from 0, where it repeats.
    public var item: Int?
    /// The characters of the value that are wrong.
    public var range: Range<Int>?

    /// An error.
    public init(
        _ code: String, _ message: String, fix: String? = nil, argument: String? = nil, item: Int? = nil,
        range: Range<Int>? = nil
    ) {
        self.item = item
        self.range = range
        self.code = code
        self.message = message
        self.fix = fix
        self.argument = argument
    }
}

/// The user pressed Ctrl-C.
public struct Cancelled: Error {}

/// A parameter of a command.
public struct PluginParameter {
    var declaration: [String: Any]
    let name: String

    /// `kind` is positional, option or flag; `type` one of text, integer, number, boolean, length, duration, angle, speed,
    /// ratio, frequency, pace, place, box, date, choice, field, value, words, input-file, output-file, input-path.
    public init(
        _ name: String, _ type: String, _ summary: String, kind: String = "positional",
        defaultText: String? = nil, choices: [String] = [], isRequired: Bool? = nil, repeats: Bool = false,
        min: Double? = nil, max: Double? = nil
    ) {
        self.name = name
        declaration = ["name": name, "type": type, "summary": summary, "kind": kind]
        if let defaultText { declaration["default"] = defaultText }
        if !choices.isEmpty { declaration["choices"] = choices }
        declaration["required"] = isRequired
        if repeats { declaration["repeats"] = true }
        declaration["min"] = min
        declaration["max"] = max
    }
}

/// One call of a command.
public final class PluginCall {
    /// The arguments by name.
    public let arguments: [String: PluginValue]
    /// The input from the pipe.
    public let input: PluginValue
    /// A seed of the session's random numbers.
    public let seed: Int
    private let plugin: Plugin
    private let id: Int

    init(_ plugin: Plugin, id: Int, arguments: [String: PluginValue], input: PluginValue, seed: Int) {
        self.plugin = plugin
        self.id = id
        self.arguments = arguments
        self.input = input
        self.seed = seed
    }

    /// Throws `Cancelled` after Ctrl-C; call it at least every 50 ms of work.
    public func check() throws { if plugin.isCancelled(id) { throw Cancelled() } }

    /// Reports progress.
    public func progress(_ done: Int, of total: Int? = nil, _ message: String? = nil) {
        var params: [String: Any] = ["id": id, "done": done]
        params["total"] = total
        params["message"] = message
        plugin.write(["jsonrpc": "2.0", "method": "progress", "params": params])
    }

    /// Runs a pipeline in the session and returns its value. Its commands have the permissions of this command.
    public func run(_ line: String, input: PluginValue = .nothing) throws -> PluginValue {
        try plugin.ask("host/run", ["line": line, "input": PluginCoding.json(input)])
    }
}

/// A plugin: declare commands, then call `run()`.
public final class Plugin {
    private struct Declared {
        let declaration: [String: Any]
        let body: (PluginCall) throws -> PluginValue
    }

    private let name: String
    private let version: String
    private let summary: String
    private var order: [String] = []
    private var commands: [String: Declared] = [:]
    private var buffer = Data()
    private var waiting: [[String: Any]] = []
    private var cancelled: Set<Int> = []
    private var nextID = 1

    /// Creates a plugin with the name in its plugin.json.
    public init(_ name: String, version: String, summary: String) {
        self.name = name
        self.version = version
        self.summary = summary
    }

    /// Declares a command. An example has `title`, `line` and, where its output is checked, `gives`.
    public func command(
        _ name: String, _ summary: String, _ parameters: [PluginParameter] = [], takes: String = "nothing",
        gives: String, effect: String, examples: [[String: String]],
        body: @escaping (PluginCall) throws -> PluginValue
    ) {
        order.append(name)
        commands[name] = Declared(
            declaration: [
                "name": name, "summary": summary, "parameters": parameters.map(\.declaration), "takes": takes,
                "gives": gives, "effect": effect, "examples": examples,
            ], body: body)
    }

    /// Serves requests until shutdown.
    public func run() {
        while let message = waiting.isEmpty ? read() : waiting.removeFirst() {
            guard let method = message["method"] as? String, let id = message["id"] else { continue }
            if method == "shutdown" {
                write(["jsonrpc": "2.0", "id": id, "result": NSNull()])
                return
            }
            var reply: [String: Any] = ["jsonrpc": "2.0", "id": id]
            do {
                reply["result"] = try result(
                    method, message["params"] as? [String: Any] ?? [:], id as? Int ?? 0)
            } catch let error as PluginError {
                var data: [String: Any] = ["code": error.code]
                data["fix"] = error.fix
                data["argument"] = error.argument
                data["item"] = error.item
                data["range"] = error.range.map { [$0.lowerBound, $0.upperBound] }
                reply["error"] = ["code": -32_000, "message": error.message, "data": data] as [String: Any]
            } catch is Cancelled {
                reply["error"] = ["code": -32_001, "message": "stopped"] as [String: Any]
            } catch {
                reply["error"] = ["code": -32_603, "message": "\(error)"] as [String: Any]
            }
            write(reply)
        }
    }

    private func result(_ method: String, _ params: [String: Any], _ id: Int) throws -> [String: Any] {
        switch method {
        case "initialize":
            return [
                "name": name, "version": version, "summary": summary,
                "commands": order.compactMap { commands[$0]?.declaration },
            ]
        case "run":
            guard let command = (params["command"] as? String).flatMap({ commands[$0] }) else {
                throw PluginError("E-\(name.uppercased())-COMMAND", "unknown command")
            }
            let arguments = (params["arguments"] as? [String: Any] ?? [:]).mapValues(PluginCoding.value)
            let call = PluginCall(
                self, id: id, arguments: arguments, input: PluginCoding.value(params["input"] ?? NSNull()),
                seed: params["seed"] as? Int ?? 0)
            return ["value": PluginCoding.json(try command.body(call))]
        case "complete": return ["candidates": [String]()]
        default: throw PluginError("E-\(name.uppercased())-METHOD", "unknown method \(method)")
        }
    }

    func ask(_ method: String, _ params: [String: Any]) throws -> PluginValue {
        let id = "\(name)-\(nextID)"
        nextID += 1
        write(["jsonrpc": "2.0", "id": id, "method": method, "params": params])
        while let message = read() {
            guard message["id"] as? String == id, message["method"] == nil else {
                keep(message)
                continue
            }
            if let error = message["error"] as? [String: Any] {
                let data = error["data"] as? [String: Any] ?? [:]
                throw PluginError(
                    data["code"] as? String ?? "E-\(name.uppercased())-HOST",
                    error["message"] as? String ?? "",
                    fix: data["fix"] as? String)
            }
            return PluginCoding.value((message["result"] as? [String: Any])?["value"] ?? NSNull())
        }
        exit(1)
    }

    // MARK: Lines

    func isCancelled(_ id: Int) -> Bool {
        var file = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        while buffer.contains(0x0A) || poll(&file, 1, 0) > 0 {
            guard let message = read() else { exit(1) }
            keep(message)
        }
        return cancelled.contains(id)
    }

    private func keep(_ message: [String: Any]) {
        if message["method"] as? String == "cancel" {
            if let id = (message["params"] as? [String: Any])?["id"] as? Int { cancelled.insert(id) }
        } else {
            waiting.append(message)
        }
    }

    /// The next message; `nil` at the end of the input.
    private func read() -> [String: Any]? {
        while true {
            while let end = buffer.firstIndex(of: 0x0A) {
                let line = buffer[buffer.startIndex..<end]
                buffer = Data(buffer[buffer.index(after: end)...])
                if let message = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] {
                    return message
                }
                FileHandle.standardError.write(Data("invalid message\n".utf8))
            }
            let piece = FileHandle.standardInput.availableData
            if piece.isEmpty { return nil }
            buffer += piece
        }
    }

    func write(_ message: [String: Any]) {
        guard let bytes = try? JSONSerialization.data(withJSONObject: message) else { return }
        FileHandle.standardOutput.write(bytes + [0x0A])
    }
}

/// Values as JSON of the protocol.
enum PluginCoding {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func json(_ value: PluginValue) -> Any {
        switch value {
        case .nothing: return NSNull()
        case .boolean(let flag): return flag
        case .integer(let number): return number
        case .number(let number):
            if number.isFinite { return number }
            return ["$number": number.isNaN ? "nan" : number > 0 ? "inf" : "-inf"]
        case .text(let text): return text
        case .quantity(let amount, let unit): return ["$quantity": [amount, unit] as [Any]]
        case .coordinate(let latitude, let longitude, let altitude):
            return ["$coordinate": [latitude, longitude] + (altitude.map { [$0] } ?? [])]
        case .date(let date): return ["$date": date.formatted(style)]
        case .list(let items): return items.map(json)
        case .record(let fields):
            // A dictionary is unordered, a record is ordered.
            return ["$record": fields.map { [$0.0, json($0.1)] as [Any] }]
        case .table(let columns, let rows):
            return ["$table": ["columns": columns, "rows": rows.map { $0.map(json) }] as [String: Any]]
        case .line(let points): return ["$line": points.map { [$0.latitude, $0.longitude] }]
        }
    }

    static func value(_ json: Any) -> PluginValue {
        switch json {
        case let text as String: return .text(text)
        case let number as NSNumber:
            if isBoolean(number) { return .boolean(number.boolValue) }
            return number.doubleValue == number.doubleValue.rounded() && abs(number.doubleValue) < 1e15
                ? .integer(number.intValue) : .number(number.doubleValue)
        case let items as [Any]: return .list(items.map(value))
        case let object as [String: Any]: return tagged(object)
        default: return .nothing
        }
    }

    /// Whether a number represents a Boolean.
    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    private static func tagged(_ object: [String: Any]) -> PluginValue {
        if object.count == 1, let (tag, content) = object.first {
            let items = content as? [Any] ?? []
            let numbers = items.compactMap { ($0 as? NSNumber)?.doubleValue }
            switch tag {
            case "$quantity" where items.count == 2:
                return .quantity(numbers.first ?? .nan, items[1] as? String ?? "")
            case "$coordinate" where numbers.count >= 2:
                return .coordinate(
                    latitude: numbers[0], longitude: numbers[1],
                    altitude: numbers.count > 2 ? numbers[2] : nil)
            case "$number": return .number((content as? String).flatMap(Double.init) ?? .nan)
            case "$date":
                let text = content as? String ?? ""
                let plain = Date.ISO8601FormatStyle()
                return ((try? style.parse(text)) ?? (try? plain.parse(text))).map { .date($0) } ?? .text(text)
            case "$table":
                let table = content as? [String: Any] ?? [:]
                let rows = table["rows"] as? [[Any]] ?? []
                return .table(columns: table["columns"] as? [String] ?? [], rows: rows.map { $0.map(value) })
            case "$record":
                return .record(
                    items.compactMap { $0 as? [Any] }.map {
                        ($0.first as? String ?? "", value($0.last ?? NSNull()))
                    })
            case "$line":
                return .line(
                    items.compactMap { $0 as? [Any] }.map { point in
                        let ends = point.prefix(2).compactMap { ($0 as? NSNumber)?.doubleValue }
                        return (ends.first ?? .nan, ends.last ?? .nan)
                    })
            case "$object":
                return value((content as? [String: Any])?["fields"] ?? NSNull())
            default: break
            }
        }
        return .record(object.keys.sorted().map { ($0, value(object[$0] ?? NSNull())) })
    }
}
