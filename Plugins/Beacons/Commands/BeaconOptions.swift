import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Parameters that several commands share.
enum BeaconOptions {
    /// One beacon or several.
    static let beacons = Parameter<[String]>.rest(
        "beacons", .text, minimum: 1, "beacons by name or id, or north"
    ).completing(.known("beacon"))
    /// A tone by name.
    static let tone = Parameter<String>.positional("tone", .text, "tone by name or id")
        .completing(.known("tone"))
    static let toneOption = Parameter<String?>.option("tone", .text, "tone by name or id")
        .completing(.known("tone"))
    /// Whether distance affects the level.
    static let placing = Parameter<Bool>.flag("fade", "make distant beacons quieter")
        .map { PlacementCalculator(fades: $0) }
    /// A group whose beacons are a route.
    static let follow = Parameter<String?>.option(
        "follow", .text, "group of beacons heard one after the other along the walk"
    ).completing(.known("beacon"))
    static let force = Parameter<Bool>.flag("force", "overwrite an existing file")
}

/// The listener's coordinate and heading, or walk.
struct ListenerOptions: Sendable {
    private let coordinate: Coordinate?
    private let heading: Double?
    private let track: URL?
    private let turning: TurnRate?
    private let isMagnetic: Bool

    static let parameter = Parameter.group(
        .option("place", .coordinate, "coordinate of the listener"),
        .option(
            "heading", .quantity(.angle, in: -360...360),
            "heading of the listener, clockwise from true north; default: 0deg, or along the walk"),
        .option("track", .inputFile, "recording along which the listener walks"),
        .option("turn", .turning, "turning rate to the right, such as 90deg/10s"),
        .flag("magnetic", "--heading is that of a compass, from magnetic north"),
        make: Self.init(coordinate:heading:track:turning:isMagnetic:))
    /// The time of a walk or turn that is shown.
    static let after = Parameter<Double>.option(
        "after", .quantity(.duration, in: 0...BeaconSettings.longestSound), default: "0s",
        "time since the start of a walk or turn")

    /// Seconds between points without a time before the first or after the last that have one.
    private static let untimedInterval = 1.0

    /// A place for hearing north alone, which lies in the same direction everywhere.
    private static func anywhere(_ context: Context, follows: Bool) throws -> Coordinate {
        guard !follows else {
            throw BeaconErrors.listener(
                "the listener's coordinate is missing, from which the route is heard",
                fix: "--place LAT,LON --heading 0deg, or --track FILE.gpx")
        }
        let set = try BeaconStore(context).load()
        let placed =
            set.north.permission.grantsPosition
            ? AudibleSources.all(set).filter { $0.coordinate != nil && set.isEnabled($0) } : []
        guard placed.isEmpty else {
            let names = placed.prefix(3).map(\.name).joined(separator: ", ") + (placed.count > 3 ? ", …" : "")
            throw BeaconErrors.listener(
                "the listener's coordinate is missing, which \(names) must be heard from",
                fix:
                    "--place LAT,LON --heading 0deg, or --track FILE.gpx; north alone needs none: beacon edit NAME --enabled false"
            )
        }
        return Coordinate(latitude: 0, longitude: 0)
    }

    /// The heading from true north at a place. Throws `E-BEACON-LISTENER` if it is magnetic and the declination is not known.
    private func trueHeading(at coordinate: Coordinate?, _ context: Context) throws -> Double? {
        guard isMagnetic else { return heading }
        guard let heading else {
            throw BeaconErrors.listener(
                "--magnetic requires --heading", at: .parameter("magnetic"), fix: "add --heading 0deg")
        }
        guard let coordinate else {
            throw BeaconErrors.listener(
                "the declination depends on the place, which is missing", at: .parameter("magnetic"),
                fix: "--place LAT,LON")
        }
        guard let declination = MagneticNorth.declination(coordinate, context) else {
            throw BeaconErrors.listener(
                "the declination is not known here and now: \(MagneticModel.name) is for 2025 to 2029, away from the poles",
                at: .parameter("magnetic"), fix: "give the heading from true north, without --magnetic")
        }
        return heading + declination
    }

    /// The listener's path. Throws `E-BEACON-LISTENER` with a coordinate and a walk, or with neither where beacons are enabled or
    /// followed.
    func path(_ context: Context, follows: Bool = false) throws -> ListenerPath {
        guard let track else {
            let place = try coordinate?.withoutAltitude ?? Self.anywhere(context, follows: follows)
            return ListenerPath(
                at: place, heading: try trueHeading(at: coordinate, context) ?? 0, turning: turning)
        }
        guard coordinate == nil else {
            throw BeaconErrors.listener(
                "--place and --track cannot be combined", at: .parameter("place"), fix: "omit --place")
        }
        let recorded = RecordedPath(
            try TrackFile(track, check: context.checkCancelled), start: context.clock.now,
            interval: Self.untimedInterval,
            untimed: "walked at \(Literal.number(BeaconSettings.walkingSpeed)) m/s")
        guard let recorded, recorded.points.count > 1 else {
            throw BeaconErrors.listener(
                "\(track.lastPathComponent) has no track or route of two points", at: .parameter("track"))
        }
        for notice in recorded.notices {
            context.log.warning("\(track.lastPathComponent): \(notice)")
        }
        let points = recorded.points
        if heading == nil, let first = points.first?.coordinate.withoutAltitude,
            points.allSatisfy({ $0.coordinate.withoutAltitude == first })
        {
            context.log.warning(
                "\(track.lastPathComponent): all points are at one place, so the heading is unknown: north is taken (--heading)"
            )
        }
        return ListenerPath(
            along: points.map(\.coordinate), at: recorded.isTimed ? recorded.times.map(\.seconds) : nil,
            heading: try trueHeading(at: points.first?.coordinate, context), turning: turning)
    }
}

extension ParameterType where T == TurnRate {
    /// An angle in a time, such as `90deg/10s`.
    static var turning: ParameterType<TurnRate> {
        ParameterType(.text) { value in
            guard case .text(let text) = value, let turning = TurnRate(text) else {
                throw BeaconErrors.listener(
                    "--turn requires an angle per time", at: .parameter("turn"), fix: "write it as 90deg/10s")
            }
            return turning
        }
    }
}

extension TurnRate {
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

/// The listener's head model.
struct HeadOptions: Sendable {
    private let sofa: URL?
    private let isSimple: Bool

    static let parameter = Parameter.group(
        .option("sofa", .inputFile, "SOFA file with a measured head; default: the system's"),
        .flag("simple", "no measured head: time and level difference only"),
        make: Self.init(sofa:isSimple:))

    /// The head. Throws `E-BEACON-SOFA` if the file is not a usable SOFA file.
    func model() throws -> any HeadModel {
        if let sofa {
            guard !isSimple else {
                throw BeaconErrors.sofa("--sofa and --simple cannot be combined", at: .parameter("simple"))
            }
            do {
                return try MeasuredHead(sofa)
            } catch let error as RutterError {
                throw error.located(at: .parameter("sofa"))
            }
        }
        let system = URL(fileURLWithPath: BeaconSettings.systemSofa)
        guard !isSimple, FileManager.default.fileExists(atPath: system.path) else { return SphericalHead() }
        return try MeasuredHead(system)
    }
}
