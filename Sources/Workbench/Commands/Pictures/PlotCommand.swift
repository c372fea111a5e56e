import CivilTime
import Foundation
import Pictures
import PluginKit

/// `plot X Y`
struct PlotCommand: CommandProvider {
    var name: String { "plot" }

    var command: Command {
        Command(
            name, "draw fields of rows as lines over another field",
            details: """
                Fields are numbers, quantities or dates; quantities are drawn in metres, seconds, degrees, metres a second, minutes a kilometre or per cent, dates as seconds since \
                the first. A line skips rows that lack its field. A value with its own chart, such as a walk, needs no \
                fields.
                """,
            .optional("x", .field, "field of the horizontal axis; not needed for a value with its own chart"),
            .rest("y", .field, "fields of the vertical axis, one line each"),
            ChartOptions.parameters, input: .rows([]), output: .value("plot"), effect: .pure,
            examples: [
                .init(
                    "two fields", "$rows | plot a b --out ab.svg",
                    after: ["let rows = '[{\"a\": 1, \"b\": 4}, {\"a\": 2, \"b\": 3}]' | from json"],
                    gives: "plot written to ab.svg")
            ],
            searchTerms: [
                "plot against", "over time",
                "bar chart", "scatter", "line chart", "histogram", "temperature chart", "chart", "graph",
                "diagram", "curve", "diagram of a table",
            ]
        ) { input, context, x, y, options in
            var chart: Chart
            if let x, !y.isEmpty {
                chart = try Self.chart(of: Rows(input, for: "plot").collect(), x, y)
            } else if x == nil, case .object(let object) = input, let drawable = object as? any ChartDrawable
            {
                chart = drawable.chart(units: ScaleUnits(context.environment.units))
            } else {
                throw PictureErrors.nothing(
                    "`plot` requires two fields of the rows", fix: "… | plot distance elevation")
            }
            if let title = options.title { chart.title = title }
            return try options.drawing(of: chart, as: "plot")
        }
    }

    /// The numeric fields among `names` over the field `xName`, of quantities those of one dimension. `nil`
    /// if there are none.
    static func chart(ofNumbersIn rows: [Value], _ xName: String, _ names: [String]) -> Chart? {
        func numbers(_ name: String) -> Int {
            rows.filter { $0.field(name).flatMap { number($0, since: nil) } != nil }.count
        }
        let drawn = names.filter { numbers($0) > 1 }
        guard let first = drawn.first else { return nil }
        let alike = drawn.filter { unit($0, rows) == unit(first, rows) }
        return try? chart(of: rows, xName, alike)
    }

    /// The fields `yNames` over the field `xName`.
    private static func chart(of rows: [Value], _ xName: String, _ yNames: [String]) throws -> Chart {
        let origin = rows.lazy.compactMap { $0.field(xName) }.compactMap(Self.moment).first
        let series = yNames.map { name in
            ChartSeries(
                name,
                points: rows.compactMap { row in
                    guard let x = row.field(xName).flatMap({ Self.number($0, since: origin) }),
                        let y = row.field(name).flatMap({ Self.number($0, since: nil) })
                    else { return nil }
                    return ScenePoint(x, y)
                })
        }
        guard series.contains(where: { $0.points.count > 1 }) else {
            let known = rows.first?.fieldNames ?? []
            let wanted = ([xName] + yNames).first { !known.contains($0) }
            throw PictureErrors.nothing(
                wanted.map { "the rows have no field `\($0)`" }
                    ?? "fewer than two rows have numbers in these fields",
                fix: known.isEmpty ? nil : "known fields: \(known.joined(separator: ", "))",
                suggestion: wanted.flatMap { Suggestion.nearest(to: $0, in: known) })
        }
        // An axis of several units has none: each name says its own.
        let units = yNames.map { unit($0, rows) }
        let isAlike = Set(units).count == 1
        let names = zip(yNames, units).map { isAlike || $1.isEmpty ? $0 : "\($0) (\($1))" }
        return Chart(
            title: "", x: ChartAxis(xName, unit: unit(xName, rows)),
            y: ChartAxis(names.joined(separator: ", "), unit: isAlike ? units[0] : ""), series: series)
    }

    private static func moment(_ value: Value) -> Timestamp? {
        if case .date(let moment) = value { return moment }
        return nil
    }

    private static func number(_ value: Value, since origin: Timestamp?) -> Double? {
        switch value {
        case .quantity(let quantity): return quantity.value / (axisUnit(quantity.dimension)?.factor ?? 1)
        case .date(let moment): return origin.map { moment.seconds(since: $0) } ?? moment.seconds
        default: return value.asNumber
        }
    }

    /// The unit of an axis: the first of its dimension.
    private static func axisUnit(_ dimension: PhysicalDimension) -> MeasureUnit? {
        MeasureUnit.of(dimension).first
    }

    private static func unit(_ field: String, _ rows: [Value]) -> String {
        for row in rows {
            switch row.field(field) {
            case .quantity(let quantity)?: return axisUnit(quantity.dimension)?.symbol ?? ""
            case .date?: return "s"
            default: continue
            }
        }
        return ""
    }
}
