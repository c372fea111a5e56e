import CivilTime
import Formats
import PluginKit

/// Encodes a message of another form, read as values with names, in the wire format of Protocol Buffers, so that one reader reads
/// every form.
///
/// Fields that are unknown are skipped, as in the wire format. An entity with a value that its field cannot have is left out and
/// listed.
struct MessageEncoder {
    /// A value that its field cannot have.
    private struct Fault: Error {
        var path: String
        var what: String
    }

    /// The message.
    private(set) var bytes: [UInt8] = []
    /// The entities that were left out, with the reason of each.
    private(set) var unread: [String] = []

    /// Encodes the message in a value; `nil` if it holds none.
    init?(_ tree: JSONTree) throws {
        guard let root = Self.message(in: tree, depth: 0) else { return nil }
        var hasHeader = false
        var index = 0
        for member in root.members ?? [] {
            switch MessageType.feed.field(member.key)?.name {
            case "header"?:
                guard case .object = member.value else { continue }
                hasHeader = true
                put(message: 1, try header(member.value))
            case "entity"?:
                // A list of one may be written as its item.
                for entity in member.value.items ?? [member.value] {
                    try Interruption.check()
                    index += 1
                    add(entity, index)
                }
            default: break
            }
        }
        if !hasHeader { put(message: 1, Self.version) }
    }

    /// The header that every message has; the other forms leave out what their readers do not need.
    private static let version: [UInt8] = {
        var made = MessageEncoder()
        made.put(1, text: "2.0")
        return made.bytes
    }()

    private init() {}

    private func header(_ tree: JSONTree) throws -> [UInt8] {
        do throws(Fault) {
            let own = try Self.encoded(tree, as: .header)
            let hasVersion = tree.keys?.contains { MessageType.header.field($0)?.number == 1 } ?? false
            return hasVersion ? own : Self.version + own
        } catch {
            throw TransitErrors.realtime("header.\(error.path) is \(error.what)")
        }
    }

    private mutating func add(_ entity: JSONTree, _ index: Int) {
        if case .null = entity { return }
        do throws(Fault) {
            put(message: 2, try Self.encoded(entity, as: .entity))
        } catch {
            let id = entity["id"].flatMap(Self.scalar) ?? ""
            let name = id.isEmpty ? "entity \(index)" : "entity \(id.prefix(Self.longestShown))"
            unread.append("\(name) is not used: \(error.path) is \(error.what)")
        }
    }

    /// How deep services wrap a message in answers of their own.
    private static let deepestRoot = 3

    /// The message in an answer: an object with a header or entities, also within others.
    private static func message(in tree: JSONTree, depth: Int) -> JSONTree? {
        switch tree {
        case .object(let members):
            let own = members.contains { member in
                switch (MessageType.feed.field(member.key)?.name, member.value) {
                case ("header"?, .object(let fields)):
                    fields.contains { MessageType.header.field($0.key) != nil }
                case ("entity"?, .list(let items)): items.allSatisfy(isEntity)
                case ("entity"?, let item): isEntity(item)
                default: false
                }
            }
            if own { return tree }
            guard depth < deepestRoot else { return nil }
            return members.lazy.compactMap { message(in: $0.value, depth: depth + 1) }.first
        case .list(let items):
            if items.count == 1, let only = message(in: items[0], depth: depth) { return only }
            let isList = !items.isEmpty && items.allSatisfy(isEntity)
            return isList ? .object([JSONTree.Member("entity", tree)]) : nil
        default: return nil
        }
    }

    private static func isEntity(_ tree: JSONTree) -> Bool {
        tree.members?.contains { member in
            guard let field = MessageType.entity.field(member.key), case .message = field.kind else {
                return MessageType.folded(member.key) == "isdeleted"
            }
            return true
        } ?? false
    }

    // MARK: Values

    private static func encoded(_ tree: JSONTree, as type: MessageType) throws(Fault) -> [UInt8] {
        guard case .object(let members) = tree else {
            // A text without its translations.
            if type == .translated, case .text(let text) = tree {
                var (inner, outer) = (MessageEncoder(), MessageEncoder())
                inner.put(1, text: text)
                outer.put(message: 1, inner.bytes)
                return outer.bytes
            }
            throw Fault(path: "", what: "\(shown(tree)), not a message")
        }
        var made = MessageEncoder()
        for member in members {
            guard let field = type.field(member.key) else { continue }
            let items = member.value.items
            if let items, !field.isRepeated, items.count > 1 {
                throw Fault(path: field.name, what: "a list, where one value stands")
            }
            for (index, value) in (items ?? [member.value]).enumerated() {
                do throws(Fault) {
                    try made.put(value, as: field)
                } catch {
                    let place = items == nil || !field.isRepeated ? field.name : "\(field.name)[\(index)]"
                    throw Fault(
                        path: error.path.isEmpty ? place : "\(place).\(error.path)", what: error.what)
                }
            }
        }
        return made.bytes
    }

    private mutating func put(_ value: JSONTree, as field: MessageType.Field) throws(Fault) {
        if case .null = value { return }
        switch field.kind {
        case .message(let type): put(message: field.number, try Self.encoded(value, as: type))
        case .text:
            guard let text = Self.scalar(value) else {
                throw Fault(path: "", what: "\(Self.shown(value)), not a text")
            }
            put(field.number, text: text)
        case .whole:
            if Self.isBlank(value) { return }
            guard let whole = Self.whole(value) else {
                throw Fault(path: "", what: "\(Self.shown(value)), not a whole number")
            }
            put(field.number, whole: whole)
        case .instant:
            if Self.isBlank(value) { return }
            guard let seconds = Self.whole(value) ?? Self.instant(value) else {
                throw Fault(path: "", what: "\(Self.shown(value)), not in seconds since 1970")
            }
            put(field.number, whole: seconds)
        case .real:
            if Self.isBlank(value) { return }
            guard let number = Self.scalar(value).flatMap({ Float($0) }) else {
                throw Fault(path: "", what: "\(Self.shown(value)), not a number")
            }
            put(field.number, real: number)
        case .flag:
            if Self.isBlank(value) { return }
            guard let flag = value.flag ?? Self.scalar(value).flatMap({ Self.flags[$0.lowercased()] }) else {
                throw Fault(path: "", what: "\(Self.shown(value)), not true or false")
            }
            put(field.number, whole: flag ? 1 : 0)
        case .choice(let names):
            if Self.isBlank(value) { return }
            guard let number = Self.choice(value, names) else {
                throw Fault(path: "", what: "\(Self.shown(value)), which GTFS-realtime does not have")
            }
            put(field.number, whole: number)
        }
    }

    private static let flags = ["true": true, "false": false, "1": true, "0": false]

    private static func choice(_ value: JSONTree, _ names: [String: Int]) -> UInt64? {
        if case .text(let text) = value, let number = names[MessageType.folded(text)] {
            return UInt64(bitPattern: Int64(number))
        }
        return whole(value)
    }

    /// A text, or a number as it is written.
    private static func scalar(_ value: JSONTree) -> String? {
        switch value {
        case .text(let text), .number(let text): text
        default: nil
        }
    }

    /// Whether it is an empty text, as services write for no number.
    private static func isBlank(_ value: JSONTree) -> Bool {
        value.text?.allSatisfy(\.isWhitespace) ?? false
    }

    /// The bits of a whole number: a number, its digits as a text as in the JSON form, or the two halves of 64 bits that programs in
    /// JavaScript write.
    private static func whole(_ value: JSONTree) -> UInt64? {
        if case .object = value {
            guard let low = value["low"]?.number.flatMap(Int64.init(exactly:)),
                let high = value["high"]?.number.flatMap(Int64.init(exactly:))
            else { return nil }
            return UInt64(UInt32(truncatingIfNeeded: high)) << 32 | UInt64(UInt32(truncatingIfNeeded: low))
        }
        guard let text = scalar(value) else { return nil }
        if let own = Int64(text) { return UInt64(bitPattern: own) }
        if let own = UInt64(text) { return own }
        // Other notations of a whole number: `12.0`, `1.7e9`.
        return Double(text).flatMap(Int64.init(exactly:)).map { UInt64(bitPattern: $0) }
    }

    /// Seconds with a fraction, which is left out, or a time with its distance from UTC.
    private static func instant(_ value: JSONTree) -> UInt64? {
        if let seconds = scalar(value).flatMap({ Double($0) }), seconds >= 0,
            let whole = Int64(exactly: seconds.rounded(.down))
        {
            return UInt64(whole)
        }
        guard let text = value.text, ISO8601.parts(text)?.offsetSeconds != nil,
            let moment = ISO8601.timestamp(text)
        else { return nil }
        return UInt64(bitPattern: Int64(moment.seconds.rounded(.down)))
    }

    /// Characters of a value that are shown.
    private static let longestShown = 40

    private static func shown(_ value: JSONTree) -> String {
        scalar(value).map { "`\($0.prefix(longestShown))`" } ?? value.kindName
    }

    // MARK: The wire format

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func put(_ number: Int, whole: UInt64) {
        varint(UInt64(number) << 3)
        varint(whole)
    }

    private mutating func put(_ number: Int, text: String) { put(message: number, Array(text.utf8)) }

    private mutating func put(message number: Int, _ content: [UInt8]) {
        varint(UInt64(number) << 3 | 2)
        varint(UInt64(content.count))
        bytes += content
    }

    private mutating func put(_ number: Int, real: Float) {
        varint(UInt64(number) << 3 | 5)
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: real.bitPattern >> shift))
        }
    }
}
