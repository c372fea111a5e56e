import CivilTime
import Core
import Formats
import Foundation
import Geodesy
import PluginKit

/// Encodes values for plugins as JSON; types that JSON lacks are objects with one key that begins with `$`.
struct ValueCoding: Sendable {
    /// The zone in which dates are written.
    var timeZone = TimeZone.gmt
    /// The field that represents an object of a type in a table.
    var summaryFields: [String: String] = [:]
}

// MARK: - To a plugin

extension ValueCoding {
    /// The tree of a value. Throws `E-PLUGIN-ANSWER` for too deep nesting, and the error of a stream's rows.
    func tree(_ value: Value, depth: Int = 0) throws -> JSONTree {
        guard depth < ForeignSettings.deepestValue else {
            throw ForeignErrors.answer("the value is nested more than \(ForeignSettings.deepestValue) deep")
        }
        switch value {
        case .nothing: return .null
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return JSONTree(number)
        case .number(let number):
            return number.isFinite ? JSONTree(number) : Self.tagged("number", .text(Literal.number(number)))
        case .quantity(let quantity): return Self.tagged("quantity", Self.tree(quantity))
        case .text(let text): return .text(text)
        case .date(let date):
            return Self.tagged("date", .text(text(date)))
        case .coordinate(let place):
            let numbers = [place.latitude, place.longitude] + (place.altitude.map { [$0] } ?? [])
            return Self.tagged("coordinate", .list(numbers.map { JSONTree($0) }))
        case .box(let box):
            return Self.tagged("box", .list([box.south, box.west, box.north, box.east].map { JSONTree($0) }))
        case .list(let items):
            try Interruption.check()
            return .list(try items.map { try tree($0, depth: depth + 1) })
        case .rows(let rows): return try table(rows, depth: depth)
        case .record(let record): return try members(record, depth: depth)
        case .object(let line as ForeignLine): return Self.tagged("line", tree(line))
        case .object(let object):
            if let rows = (object as? any TabularObject)?.table { return try table(rows, depth: depth) }
            let fields = try members(value.asRecord ?? Record(), depth: depth)
            return Self.tagged(
                "object", .object([.init("type", .text(object.typeName)), .init("fields", fields)]))
        }
    }

    private func table(_ rows: Rows, depth: Int) throws -> JSONTree {
        let all = try rows.collect()
        guard let columns = rows.columns ?? all.commonColumns else {
            return .list(try all.map { try tree($0, depth: depth + 1) })
        }
        let cells = try all.map { row in
            try Interruption.check()
            return JSONTree.list(try columns.map { try tree(row.field($0) ?? .nothing, depth: depth + 1) })
        }
        return Self.tagged(
            "table",
            JSONTree(members: [
                "columns": .list(columns.map { .text($0) }), "rows": .list(cells),
                "incomplete": rows.cut.map { .text($0.summary) },
            ]))
    }

    private func tree(_ line: ForeignLine) -> JSONTree {
        .list(
            line.points.indices.map { index in
                let place = line.points[index]
                let numbers = [place.latitude, place.longitude].map { JSONTree($0) }
                let altitude = place.altitude.map { JSONTree($0) }
                guard let times = line.times else { return .list(numbers + (altitude.map { [$0] } ?? [])) }
                return .list(numbers + [altitude ?? .null, times[index].map { .text(text($0)) } ?? .null])
            })
    }

    private func text(_ date: Timestamp) -> String {
        let offset = timeZone.offset(at: date)
        return ISO8601.text(date, offsetSeconds: offset)
    }

    private func members(_ record: Record, depth: Int) throws -> JSONTree {
        let members = try zip(record.keys, record.values).map { key, value in
            JSONTree.Member(key, try tree(value, depth: depth + 1))
        }
        // A record whose key looks like a tag is tagged as a record.
        guard record.keys.contains(where: { $0.hasPrefix("$") }) else { return .object(members) }
        return Self.tagged("record", .list(members.map { .list([.text($0.key), $0.value]) }))
    }

    private static func tree(_ quantity: Quantity) -> JSONTree {
        let unit = quantity.unit ?? baseUnit(quantity.dimension)
        return .list([JSONTree(quantity.value / (unit?.factor ?? 1)), .text(unit?.symbol ?? "")])
    }

    /// The base unit's symbol of a dimension; per cent for ratios, which have none.
    private static func baseUnit(_ dimension: PhysicalDimension) -> MeasureUnit? {
        let units = MeasureUnit.all.filter { $0.dimension == dimension }
        return units.first { $0.factor == 1 } ?? units.first
    }

    private static func tagged(_ tag: String, _ tree: JSONTree) -> JSONTree {
        .object([.init("$" + tag, tree)])
    }
}

// MARK: - From a plugin

extension ValueCoding {
    /// The value of a tree. Throws a content fault with a path relative to the tree.
    func value(_ tree: JSONTree, depth: Int = 0) throws(JSONFault) -> Value {
        guard depth < ForeignSettings.deepestValue else { throw JSONFault("the value is nested too deeply") }
        switch tree {
        case .null: return .nothing
        case .boolean(let flag): return .boolean(flag)
        case .number(let text): return Int(text).map { .integer($0) } ?? .number(Double(text) ?? .nan)
        case .text(let text): return .text(text)
        case .list(let items):
            var values: [Value] = []
            values.reserveCapacity(items.count)
            for item in items { values.append(try value(item, depth: depth + 1)) }
            return .list(values)
        case .object(let members):
            if let tag = members.first?.key, tag.hasPrefix("$") {
                guard members.count == 1 else { throw JSONFault("`\(tag)` must be the only key") }
                return try tagged(tag, members[0].value, depth)
            }
            return .record(try record(members, depth))
        }
    }

    private func record(_ members: [JSONTree.Member], _ depth: Int) throws(JSONFault) -> Record {
        var values: [Value] = []
        for member in members {
            guard !member.key.hasPrefix("$") else {
                throw JSONFault("`\(member.key)` must be the only key")
            }
            values.append(try value(member.value, depth: depth + 1))
        }
        return Record(keys: members.map(\.key), values: values)
    }

    private func tagged(_ tag: String, _ tree: JSONTree, _ depth: Int) throws(JSONFault) -> Value {
        switch tag {
        case "$quantity": return .quantity(try Self.quantity(tree))
        case "$coordinate": return .coordinate(try Self.coordinate(tree, most: 3))
        case "$date": return .date(try Self.date(tree))
        case "$box":
            let numbers = try [Double](json: tree)
            guard numbers.count == 4, (-90...90).contains(numbers[0]), (numbers[0]...90).contains(numbers[2]),
                (-180...180).contains(numbers[1]), (-180...180).contains(numbers[3])
            else { throw JSONFault("a box is [south, west, north, east] in degrees") }
            return .box(BoundingBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3]))
        case "$number":
            switch tree.text {
            case "nan"?: return .number(.nan)
            case "inf"?: return .number(.infinity)
            case "-inf"?: return .number(-.infinity)
            default: throw JSONFault("a `$number` is nan, inf or -inf")
            }
        case "$table": return try table(tree, depth)
        case "$line": return try line(tree)
        case "$record":
            let pairs = try [[JSONTree]](json: tree)
            var fields: [(String, Value)] = []
            for pair in pairs {
                guard pair.count == 2, let key = pair[0].text else {
                    throw JSONFault("a `$record` is a list of [key, value]")
                }
                fields.append((key, try value(pair[1], depth: depth + 1)))
            }
            return .record(Record(fields))
        case "$object":
            let type: String = try tree.read("type")
            guard type.wholeMatch(of: /[a-z][A-Za-z0-9-]{0,39}/) != nil else {
                throw JSONFault("`type` is a word that begins with a lower-case letter")
            }
            guard let members = tree["fields"]?.members else { throw JSONFault("`fields` is missing") }
            return .object(
                ForeignObject(
                    typeName: type, fields: try record(members, depth + 1), summaryField: summaryFields[type])
            )
        default: throw JSONFault("`\(tag.prefix(40))` is not a tag of the protocol")
        }
    }

    private static func quantity(_ tree: JSONTree) throws(JSONFault) -> Quantity {
        guard let items = tree.items, items.count == 2, let amount = items[0].number,
            let symbol = items[1].text
        else { throw JSONFault("a quantity is [number, unit]") }
        guard let unit = MeasureUnit.named(symbol) else {
            throw JSONFault("`\(symbol.prefix(20))` is not a unit of the language")
        }
        // Durations in seconds get the session's format: 59889s is not readable.
        if unit.dimension == .duration, unit.factor == 1 { return Quantity(amount, .duration) }
        return Quantity(amount, unit: unit)
    }

    /// An instant: with seconds, and with `Z` or an offset, because a plugin that leaves them out means its own zone.
    private static func date(_ tree: JSONTree) throws(JSONFault) -> Timestamp {
        let bytes = Array((tree.text ?? "").utf8.suffix(6))
        let hasZone =
            bytes.last == UInt8(ascii: "Z")
            || (bytes.count == 6 && (bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"))
                && bytes[3] == UInt8(ascii: ":"))
        let colons = (tree.text ?? "").utf8.count { $0 == UInt8(ascii: ":") }
        guard hasZone, colons == (bytes.last == UInt8(ascii: "Z") ? 2 : 3) else {
            throw JSONFault(
                "a date is ISO 8601 with seconds and `Z` or an offset, such as 2026-02-06T08:00:00Z")
        }
        return try Timestamp(json: tree)
    }

    private static func coordinate(_ tree: JSONTree, most: Int) throws(JSONFault) -> Coordinate {
        guard let items = tree.items, (2...most).contains(items.count), let latitude = items[0].number,
            let longitude = items[1].number
        else { throw JSONFault("a coordinate is [latitude, longitude] or [latitude, longitude, altitude]") }
        let altitude = items.count > 2 ? items[2].number : nil
        let place = Coordinate(latitude: latitude, longitude: longitude, altitude: altitude)
        guard place.isValid else { throw JSONFault("\(latitude),\(longitude) is not a valid coordinate") }
        return place
    }

    private func table(_ tree: JSONTree, _ depth: Int) throws(JSONFault) -> Value {
        let columns: [String] = try tree.read("columns")
        guard Set(columns).count == columns.count else { throw JSONFault("two columns have the same name") }
        guard let rows = tree["rows"]?.items else { throw JSONFault("`rows` is missing") }
        let incomplete: String? = try tree.readIfPresent("incomplete")
        return .rows(
            Rows(
                try self.rows(rows, columns: columns, depth: depth), columns: columns,
                cut: incomplete.flatMap {
                    Cut(missing: nil, String($0.prefix(ForeignSettings.longestMessage)))
                }))
    }

    /// Rows of cells, one cell for each column.
    func rows(_ trees: [JSONTree], columns: [String], depth: Int = 0) throws(JSONFault) -> [Value] {
        var all: [Value] = []
        all.reserveCapacity(trees.count)
        for (index, row) in trees.enumerated() {
            guard let cells = row.items, cells.count == columns.count else {
                throw JSONFault("row \(index + 1) of the table is not a list of \(columns.count) cells")
            }
            var values: [Value] = []
            values.reserveCapacity(cells.count)
            for cell in cells { values.append(try value(cell, depth: depth + 2)) }
            all.append(.record(Record(keys: columns, values: values)))
        }
        return all
    }

    /// A line, with times if any of its points has one.
    private func line(_ tree: JSONTree) throws(JSONFault) -> Value {
        var places: [Coordinate] = []
        var times: [Timestamp?] = []
        guard let items = tree.items else { throw tree.mismatch("an array of points") }
        for item in items {
            guard let parts = item.items, (2...4).contains(parts.count) else {
                throw JSONFault(
                    "a point of a line is [latitude, longitude, altitude, time], the last two optional")
            }
            let hasAltitude = parts.count > 2 && parts[2] != .null
            places.append(try Self.coordinate(.list(Array(parts.prefix(hasAltitude ? 3 : 2))), most: 3))
            times.append(
                parts.count > 3 && parts[3] != .null ? try Self.date(parts[3]) : nil)
        }
        let isTimed = times.contains { $0 != nil }
        return .object(ForeignLine(points: places, times: isTimed ? times : nil))
    }
}
