import CivilTime
import Foundation
import Pictures
import PluginKit

/// `plot X Y`
struct PlotCommand: Command {
    private static let x = Parameter.positional("x", .field, "field for the horizontal axis")
    private static let y = Parameter.rest(
        "y", .field, minimum: 1, "fields for the vertical axis, one line each")
    private static let options = ChartOptions()

    let spec = CommandSpec(
        "plot", "draws fields of rows as lines over another field",
        details: """
            Fields are numbers, quantities or dates; quantities are drawn in their base unit, dates as seconds since \
            the first. Rows in which a field is missing are left out of its line.
            """,
        parameters: [x.spec, y.spec] + options.specs, input: .rows([]), output: .value("plot"), effect: .pure,
        examples: [
            .init(
                "two fields", "$rows | plot a b --out ab.svg",
                after: ["let rows = from json '[{\"a\": 1, \"b\": 4}, {\"a\": 2, \"b\": 3}]'"],
                gives: "plot written to ab.svg")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let rows = try Rows(input, for: "plot").stream.collect(check: context.checkCancelled)
        let xName = try arguments[Self.x]
        let yNames = try arguments[Self.y]
        let origin = rows.lazy.compactMap { $0.field(xName) }.compactMap(Self.moment).first
        var series: [ChartSeries] = []
        for name in yNames {
            let points = rows.compactMap { row -> ScenePoint? in
                guard let x = row.field(xName).flatMap({ Self.number($0, since: origin) }),
                    let y = row.field(name).flatMap({ Self.number($0, since: nil) })
                else { return nil }
                return ScenePoint(x, y)
            }
            series.append(ChartSeries(name, points: points))
        }
        guard series.contains(where: { $0.points.count > 1 }) else {
            let known = rows.first?.fieldNames ?? []
            let wanted = ([xName] + yNames).first { !known.contains($0) }
            throw PictureErrors.nothing(
                wanted.map { "the rows have no field `\($0)`" }
                    ?? "fewer than two rows have numbers in these fields",
                fix: known.isEmpty ? nil : "they have: \(known.joined(separator: ", "))",
                suggestion: wanted.flatMap { Suggestion.nearest(to: $0, in: known) })
        }
        let chart = Chart(
            title: try arguments[Self.options.title] ?? "",
            x: ChartAxis(xName, unit: Self.unit(xName, rows)),
            y: ChartAxis(yNames.joined(separator: ", "), unit: Self.unit(yNames[0], rows)), series: series)
        return try Self.options.drawn(chart, as: "plot", arguments)
    }

    private static func moment(_ value: Value) -> Timestamp? {
        if case .date(let moment) = value { return moment }
        return nil
    }

    private static func number(_ value: Value, since origin: Timestamp?) -> Double? {
        switch value {
        case .quantity(let quantity): return quantity.value
        case .date(let moment): return origin.map { moment.seconds(since: $0) } ?? moment.seconds
        default: return value.asNumber
        }
    }

    private static func unit(_ field: String, _ rows: [Value]) -> String {
        for row in rows {
            switch row.field(field) {
            case .quantity(let quantity)?: return MeasureUnit.of(quantity.dimension).first?.symbol ?? ""
            case .date?: return "s"
            default: continue
            }
        }
        return ""
    }
}
