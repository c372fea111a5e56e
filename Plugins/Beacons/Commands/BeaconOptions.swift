import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Parameters that several commands share.
enum BeaconOptions {
    /// A beacon, or north, by name.
    static let beacon = Parameter.positional(
        "beacon", ParameterType<String>.text, "a beacon by name or id, or north"
    ).completing(.known("beacon"))
    /// One beacon or several.
    static let beacons = Parameter.rest(
        "beacons", ParameterType<String>.text, minimum: 1, "beacons by name or id, or north"
    ).completing(.known("beacon"))
    /// A tone by name.
    static let tone = Parameter.positional("tone", ParameterType<String>.text, "a tone by name or id")
        .completing(.known("tone"))
    static let toneOption = Parameter.option("tone", ParameterType<String>.text, "its tone, by name or id")
        .completing(.known("tone"))
}

/// Where the listener is and looks.
struct ListenerOptions {
    private let at = Parameter.option("at", ParameterType<Coordinate>.place, "where the listener stands")
    private let heading = Parameter.option(
        "heading", ParameterType<Double>.quantity(.angle, in: -360...360),
        "where the listener looks, clockwise from north; 0deg, or where a walk leads")
    private let walk = Parameter.option(
        "walk", ParameterType<URL>.inputFile, "a GPX file along which the listener walks")
    private let turn = Parameter.option(
        "turn", ParameterType<Turning>.turning, "how fast the listener turns to the right, such as 90deg/10s")

    var specs: [ParameterSpec] { [at.spec, heading.spec, walk.spec, turn.spec] }

    /// The listener's path; throws `E-BEACON-LISTENER` when there is none.
    func path(_ arguments: Arguments, _ context: Context) throws -> ListenerPath {
        let turning = try arguments[turn]
        let looking = try arguments[heading]
        let place = try arguments[at]
        guard let file = try arguments[walk] else {
            guard let place else {
                throw BeaconErrors.listener(
                    "where the listener stands is missing",
                    fix: "--at LAT,LON --heading 0deg, or --walk FILE.gpx")
            }
            return ListenerPath(at: place.withoutAltitude, heading: looking ?? 0, turning: turning)
        }
        guard place == nil else {
            throw BeaconErrors.listener(
                "a walk tells where the listener is", at: .parameter("at"), fix: "leave out --at")
        }
        return try Self.walk(file, looking, turning, context)
    }

    private static func walk(
        _ file: URL, _ heading: Double?, _ turning: Turning?, _ context: Context
    ) throws -> ListenerPath {
        let document = try GPXReader.document(file, check: context.checkCancelled)
        let points = (document.tracks + document.routes).first.map { $0.segments.flatMap { $0 } } ?? []
        guard points.count > 1 else {
            throw BeaconErrors.listener(
                "\(file.lastPathComponent) has no track or route of two points", at: .parameter("walk"))
        }
        let moments = points.compactMap { $0.time?.seconds }
        return ListenerPath(
            along: points.map(\.coordinate), at: moments.count == points.count ? moments : nil,
            heading: heading, turning: turning)
    }
}

extension ParameterType where T == Turning {
    /// An angle in a time, such as `90deg/10s`.
    static var turning: ParameterType<Turning> {
        ParameterType(.text) { value in
            guard case .text(let text) = value, let turning = Turning(text) else {
                throw BeaconErrors.listener(
                    "--turn is an angle in a time", at: .parameter("turn"), fix: "write it as 90deg/10s")
            }
            return turning
        }
    }
}

extension Turning {
    /// Reads `90deg/10s`, `-1rad/2.5s`, `360deg/1min`; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let degrees = Self.amount(parts[0], .angle),
            let seconds = Self.amount(parts[1], .duration), seconds > 0,
            abs(degrees / seconds) <= Self.fastest
        else { return nil }
        self.init(degrees: degrees, seconds: seconds)
    }

    /// Degrees a second: ten turns.
    private static let fastest = 3600.0

    private static func amount(_ text: Substring, _ dimension: PhysicalDimension) -> Double? {
        for unit in MeasureUnit.of(dimension).sorted(by: { $0.symbol.count > $1.symbol.count })
        where text.hasSuffix(unit.symbol) {
            guard let number = Double(text.dropLast(unit.symbol.count)), number.isFinite else { continue }
            return number * unit.factor
        }
        return nil
    }
}

/// Which head the listener has.
struct HeadOptions {
    private let sofa = Parameter.option(
        "sofa", ParameterType<URL>.inputFile, "a SOFA file with a measured head; else the system's")
    private let simple = Parameter.flag("simple", "no measured head: only time and level difference")

    var specs: [ParameterSpec] { [sofa.spec, simple.spec] }

    /// The head; throws `E-BEACON-SOFA` where the file is none.
    func head(_ arguments: Arguments) throws -> any HeadModel {
        if let file = try arguments[sofa] {
            guard try !arguments[simple] else {
                throw BeaconErrors.sofa("--sofa and --simple exclude each other", at: .parameter("simple"))
            }
            do {
                return try MeasuredHead(file)
            } catch let error as RutterError {
                throw error.located(at: .parameter("sofa"))
            }
        }
        let system = URL(fileURLWithPath: BeaconSettings.systemSofa)
        guard try !arguments[simple], FileManager.default.fileExists(atPath: system.path) else {
            return SphericalHead()
        }
        return try MeasuredHead(system)
    }
}

/// Whether distance counts.
enum FadeOption {
    static let fade = Parameter.flag("fade", "makes what is far quieter")

    static func placing(_ arguments: Arguments) throws -> Placing { Placing(fades: try arguments[fade]) }
}
