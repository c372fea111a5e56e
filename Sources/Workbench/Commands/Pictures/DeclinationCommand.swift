import Geodesy
import PluginKit

/// `declination`
struct DeclinationCommand: CommandProvider {
    var name: String { "declination" }

    var command: Command {
        Command(
            name, "show magnetic and grid north at a coordinate",
            details: """
                declination is how far magnetic north is east of true north, by the World Magnetic Model 2025, which is valid \
                from 2025 to 2029; change is a year's; doubt is one standard deviation. grid is the UTM zone, and \
                convergence is how far its north is east of true north. Angles to the west are negative. Add the \
                declination to a compass bearing for the true bearing. Values that are not known are empty.
                """,
            .positional("at", .coordinate, "the coordinate"),
            .option("on", .date, "the date; default: that of the session's clock"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "in the Alps", "declination 46.75,9.45 --on 2026-02-06 | get declination",
                    gives: "3.74deg")
            ],
            searchTerms: [
                "magnetic north", "variation", "compass", "convergence", "true north", "compass error",
            ]
        ) { context, coordinate, date in
            let year = MapNorth.decimalYear(date ?? context.clock.now)
            let field = MagneticModel.declination(at: coordinate, year: year)
            let zone = UTMZone(of: coordinate)
            func angle(_ degrees: Double?) -> Value {
                Value(degrees) { .quantity(.degrees(($0 * 100).rounded() / 100)) }
            }
            return .record(
                Record([
                    ("declination", angle(field?.degrees)), ("change", angle(field?.annualChange)),
                    ("doubt", angle(field?.uncertainty)),
                    ("compass", .text(Self.words(field, year))),
                    ("grid", Value(zone) { .text($0.name) }),
                    ("convergence", angle(zone?.convergence(at: coordinate))),
                ]))
        }
    }

    private static func words(_ field: MagneticDeclination?, _ year: Double) -> String {
        guard MagneticModel.years.contains(year) else {
            return "unknown: \(MagneticModel.name) is for 2025 to 2029"
        }
        guard let field else { return "unknown: near a magnetic pole" }
        return field.isDoubtful ? "doubtful: near a magnetic pole" : "reliable"
    }
}
