import Geodesy
import PluginKit

/// What a written table says in its columns.
struct CSVStyle: Sendable {
    /// Whether the name of a column of quantities ends with their unit: `distance (m)`.
    var namesUnits = false
    /// Whether coordinates have columns for latitude and longitude, and altitude if there is one.
    var splitsCoordinates = false

    /// Whether columns are written as they are.
    var isPlain: Bool { !namesUnits && !splitsCoordinates }
}

/// The columns of a table whose names say the units, or that has coordinates in columns of their own.
struct CSVColumns {
    private enum Part { case whole, latitude, longitude, altitude }

    private struct Column {
        let name: String
        let index: Int
        var part = Part.whole
        var unit: MeasureUnit?
    }

    private var columns: [Column] = []

    var names: [String] {
        columns.map { column in column.unit.map { column.name.withUnit($0) } ?? column.name }
    }

    /// Throws `E-UNIT-DIMENSION` for a column whose quantities are of several dimensions.
    init(_ names: [String], _ rows: [[Value]], _ style: CSVStyle) throws {
        var places = Set<Int>()
        if style.splitsCoordinates {
            places = Set(names.indices.filter { Self.hasCoordinates($0, rows) })
        }
        // A single coordinate needs no name of its own.
        let isAlone = places.count == 1 && !names.contains { ["lat", "lon", "ele"].contains($0) }
        for (index, name) in names.enumerated() {
            guard places.contains(index) else {
                var column = Column(name: name, index: index)
                if style.namesUnits { column.unit = try Self.unit(of: name, index, rows) }
                columns.append(column)
                continue
            }
            let prefix = isAlone ? "" : name + "_"
            columns.append(Column(name: prefix + "lat", index: index, part: .latitude))
            columns.append(Column(name: prefix + "lon", index: index, part: .longitude))
            guard rows.contains(where: { $0[index].asCoordinate?.altitude != nil }) else { continue }
            columns.append(
                Column(
                    name: prefix + "ele", index: index, part: .altitude,
                    unit: style.namesUnits ? MeasureUnit.base(of: .length) : nil))
        }
    }

    /// The cells of a row.
    func cells(_ row: [Value]) -> [Value] {
        columns.map { column in
            let value = row[column.index]
            switch (column.part, value) {
            case (.latitude, .coordinate(let place)): return .number(place.latitude)
            case (.longitude, .coordinate(let place)): return .number(place.longitude)
            case (.altitude, .coordinate(let place)):
                return place.altitude.map { .quantity(.metres($0)) } ?? .nothing
            case (.whole, .quantity(var quantity)):
                quantity.value /= column.unit?.factor ?? 1
                return .quantity(quantity)
            default: return value
            }
        }
    }

    /// Whether a column has coordinates alone.
    private static func hasCoordinates(_ index: Int, _ rows: [[Value]]) -> Bool {
        var isFound = false
        for row in rows {
            switch row[index] {
            case .nothing: continue
            case .coordinate: isFound = true
            default: return false
            }
        }
        return isFound
    }

    private static func unit(of name: String, _ index: Int, _ rows: [[Value]]) throws -> MeasureUnit? {
        var found: PhysicalDimension?
        for row in rows {
            guard case .quantity(let quantity) = row[index] else { continue }
            guard (found ?? quantity.dimension) == quantity.dimension else {
                throw LanguageErrors.dimension(
                    "`\(name)` has \(found?.name ?? "") and \(quantity.dimension.name): its name can have one unit",
                    at: .parameter("units"), fix: "omit --units: all are then in base units")
            }
            found = quantity.dimension
        }
        return found.map { MeasureUnit.base(of: $0) }
    }
}

/// Which columns of a written table have quantities, whose cells do not say their units.
struct CSVUnits {
    private let names: [String]
    private var found: [[PhysicalDimension]]

    init(_ names: [String]) {
        self.names = names
        found = Array(repeating: [], count: names.count)
    }

    mutating func take(_ cells: [Value]) {
        for (index, cell) in cells.enumerated() {
            guard case .quantity(let quantity) = cell, !found[index].contains(quantity.dimension) else {
                continue
            }
            found[index].append(quantity.dimension)
        }
    }

    /// The units of the columns; `nil` if no column has one.
    func note(_ command: String) -> String? {
        var named: [(unit: String, names: [String])] = []
        for (name, dimensions) in zip(names, found) where !dimensions.isEmpty {
            let unit = dimensions.map(Self.unit).joined(separator: " or ")
            if let index = named.firstIndex(where: { $0.unit == unit }) {
                named[index].names.append(name)
            } else {
                named.append((unit, [name]))
            }
        }
        guard !named.isEmpty else { return nil }
        let list = named.map { "\($0.names.joined(separator: ", ")) in \($0.unit)" }.joined(separator: "; ")
        return "\(list); `\(command) --units` writes the units into the names"
    }

    /// The unit of cells, which are in base units.
    private static func unit(_ dimension: PhysicalDimension) -> String {
        dimension == .ratio ? "parts of 1" : MeasureUnit.base(of: dimension).symbol
    }
}

extension String {
    /// A name of a column with the unit of its cells.
    func withUnit(_ unit: MeasureUnit) -> String { "\(self) (\(unit.symbol))" }
}

extension MeasureUnit {
    /// The base unit of a dimension, or the unit of one that has none: per cent.
    static func base(of dimension: PhysicalDimension) -> MeasureUnit {
        let units = of(dimension)
        return units.first { $0.factor == 1 } ?? units[0]
    }
}
