import CivilTime
import Pictures
import PluginKit

/// A year of days in columns of weeks; darker days have a longer distance.
struct CalendarHeatMap: FieldedObject, SelfRendering, TabularObject {
    let year: Int
    /// The days with hikes, in order, with metres.
    let days: [(day: CivilDate, hikes: Int, distance: Double)]
    /// Number of hikes without times, which belong to no day.
    let undated: Int
    let units: UnitSystem

    /// Upper limits of the shades except the darkest, in metres. Fixed, so that years can be compared.
    static let steps = [5_000.0, 10_000, 20_000]
    private static let colors: [Color] = [
        Color(0xEBEDF0), Color(0xC6E3B5), Color(0x7CC171), Color(0x3A8A4D), Color(0x14532D),
    ]
    private static let signs: [Character] = ["·", "░", "▒", "▓", "█"]
    private static let plainSigns: [Character] = [".", "-", "+", "x", "#"]
    private static let weekdays = CalendarNames.shortWeekdays
    private static let months = CalendarNames.shortMonths

    let typeName = "calendar"
    var summary: String { "\(year)" }

    static let fields = FieldTable<Self> {
        Field("year") { .integer($0.year) }
        Field("days") { .integer($0.days.count) }
        Field("hikes") { .integer($0.days.reduce(0) { $0 + $1.hikes }) }
        Field("distance") { .quantity(.metres($0.days.reduce(0) { $0 + $1.distance })) }
        Field("undated") { .integer($0.undated) }
    }

    var table: Rows {
        let cells: [[Value]] = days.map { day, hikes, distance in
            [
                .text(day.text), .integer(hikes),
                .quantity(.metres(distance)),
            ]
        }
        return Value.table(columns: ["day", "hikes", "distance"], cells: cells).asRows
            ?? Rows([], columns: [])
    }

    var plainRows: Rows? { table }

    /// Shades from 0 (none) to 4.
    private static func shade(_ distance: Double?) -> Int {
        guard let distance else { return 0 }
        return 1 + steps.count { distance >= $0 }
    }

    /// The days of the year with column (week), row (weekday) and shade.
    private var squares: [(day: CivilDate, column: Int, row: Int, shade: Int)] {
        let walked = Dictionary(days.map { ($0.day, $0.distance) }, uniquingKeysWith: +)
        guard let first = CivilDate(year: year, month: 1, day: 1),
            let last = CivilDate(year: year, month: 12, day: 31)
        else { return [] }
        let lead = first.isoWeekday - 1
        return (first.daysSinceEpoch...last.daysSinceEpoch).map { number in
            let day = CivilDate(daysSinceEpoch: number)
            let place = number - first.daysSinceEpoch + lead
            return (day, place / 7, place % 7, Self.shade(walked[day]))
        }
    }

    private var legend: [String] {
        let values = Self.steps.map { ReadableText.distance($0, units: units) }
        return ["none", "less than \(values[0])"] + values.map { "from \($0)" }
    }

    private var title: String {
        let distance = ReadableText.distance(days.reduce(0) { $0 + $1.distance }, units: units)
        let hikes = days.reduce(0) { $0 + $1.hikes }
        let left = undated == 0 ? "" : "; \(undated) more without times"
        return
            "\(year): \(hikes, of: "hike") on \(days.count, of: "day"), \(distance)\(left)"
    }

    // MARK: Terminal

    func rendered(in environment: Environment) -> String {
        let signs = environment.unicode ? Self.signs : Self.plainSigns
        var rows = [[Character]](repeating: [Character](repeating: " ", count: 54), count: 7)
        var heads = [Character](repeating: " ", count: 58)
        for square in squares {
            rows[square.row][square.column] = signs[square.shade]
            guard square.day.day == 1 else { continue }
            for (offset, letter) in Self.months[square.day.month - 1].enumerated() {
                heads[square.column + offset] = letter
            }
        }
        func line(_ head: String, _ cells: [Character]) -> String {
            var text = head + "  " + String(cells)
            while text.last == " " { text.removeLast() }
            return text
        }
        let lines = zip(Self.weekdays, rows).map { line($0, $1) }
        let key = zip(signs, legend).map { "\($0) \($1)" }.joined(separator: "  ")
        return ([title, line("   ", heads)] + lines + [key]).joined(separator: "\n")
    }

    // MARK: Picture

    var scene: Scene {
        let (side, step, left, top) = (11.0, 13.0, 40.0, 46.0)
        var scene = Scene(
            size: SceneSize(width: left + 54 * step + 12, height: top + 7 * step + 34), title: title)
        scene.add(.text(TextShape(title, at: ScenePoint(left, 18), size: 12, weight: .bold)))
        for (row, name) in Self.weekdays.enumerated() where row % 2 == 0 {
            let place = ScenePoint(left - 6, top + Double(row) * step + side - 2)
            scene.add(.text(TextShape(name, at: place, size: 9, anchor: .end, color: .faint)))
        }
        for square in squares {
            let corner = ScenePoint(left + Double(square.column) * step, top + Double(square.row) * step)
            scene.add(Self.box(corner, side, square.shade))
            guard square.day.day == 1 else { continue }
            let place = ScenePoint(corner.x, top - 8)
            scene.add(
                .text(TextShape(Self.months[square.day.month - 1], at: place, size: 9, color: .faint)))
        }
        for (shade, words) in legend.enumerated() {
            let corner = ScenePoint(left + Double(shade) * 105, top + 7 * step + 12)
            scene.add(Self.box(corner, side, shade))
            scene.add(
                .text(
                    TextShape(
                        words, at: ScenePoint(corner.x + 16, corner.y + side - 2), size: 9, color: .faint)))
        }
        return scene
    }

    private static func box(_ corner: ScenePoint, _ side: Double, _ shade: Int) -> SceneShape {
        let (x, y) = (corner.x, corner.y)
        let ring = [
            ScenePoint(x, y), ScenePoint(x + side, y), ScenePoint(x + side, y + side),
            ScenePoint(x, y + side),
        ]
        return .polygon([ring], fill: Fill(colors[shade]), stroke: nil)
    }
}
