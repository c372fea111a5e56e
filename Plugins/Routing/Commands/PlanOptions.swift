import CivilTime
import Foundation
import Geodesy
import Photos
import PluginKit

/// The options shared by all planning commands.
struct PlanOptions {
    let profile: String?
    let limit: SACScale?
    let region: String?
    let allowed: [String]
    let moment: Timestamp?
    let avoided: AvoidedWays

    private static let profile = Parameter<String?>.option(
        "profile", .text, "hiking, cycling or another cost profile by name or JSON file; default: hiking"
    ).completing(ProfileCompletions.completion).formerly("mode")
    private static let limit = Parameter<String?>.option(
        "sac-limit", .choice(SACScale.allCases.map { .init("T\($0.grade)", $0.rawValue) }),
        "hardest SAC grade allowed, with a warning; default: that of the profile")
    private static let allowed = Parameter<[String]>.options(
        "allow", .choice(AccessRules.allowable.map { .init($0, "access=\($0)") }),
        "closed access value to allow, such as private; repeatable")
    private static let moment = Parameter<Timestamp?>.option(
        "at", .date, "time of travel, for restrictions by season and time; default: only report them")
    private static let avoided = Parameter<[String]>.options(
        "avoid", .text,
        "box S,W,N,E, name of a way, or way=ID that the route must not use; repeatable")
    private static let region = Parameter<String?>.option(
        "region", .text, "region to use; default: the one around the coordinates"
    ).completing(RegionCompletions.completion)

    static let parameters = Parameter<PlanOptions>.group(
        profile, limit, allowed, moment, avoided, region
    ) { try PlanOptions($0, $1, $2, $3, avoid: $4, $5) }
    /// Those of a command for which the ways are given, as by a recorded track.
    static let parametersOfGivenWays = Parameter<PlanOptions>.group(
        profile, limit, allowed, moment, region
    ) { try PlanOptions($0, $1, $2, $3, avoid: [], $4) }

    private init(
        _ profile: String?, _ limit: String?, _ allowed: [String], _ moment: Timestamp?,
        avoid: [String], _ region: String?
    ) throws {
        (self.profile, self.region) = (profile, region)
        self.limit = limit.flatMap { Int($0.dropFirst()) }.flatMap(SACScale.init(grade:))
        (self.allowed, self.moment, avoided) = (allowed, moment, try AvoidedWays(avoid))
    }

    static let via = Parameter.options(
        "via", ParameterType<Coordinate>.coordinate, "coordinate to pass through; repeatable")

    /// The cost profile selected by profile and limit.
    func costs(_ context: Context) throws -> CostProfile {
        var costs = try profile.map { try CostProfiles.named($0, context) } ?? .standard(.hiking)
        if let limit { costs.sacLimit = limit }
        costs.allowed = Set(allowed)
        costs.moment = moment.map { LocalMoment($0, in: context.environment.timeZone) }
        return costs
    }

    /// The plan of a route over coordinates.
    func plan(_ places: [Coordinate], _ context: Context) throws -> RoutePlan {
        var plan = RoutePlan(places: places, profile: try costs(context), region: region)
        plan.avoided = avoided
        if let moment, let place = places.first {
            let departure = SettingOut(moment, at: place, own: context.environment.timeZone)
            plan.profile.moment = departure.local(after: 0, sun: departure.sun(at: place))
            plan.departure = departure
        }
        return plan
    }
}

extension SearchMethod {
    /// The description shown beside its name in completion.
    var summary: String {
        switch self {
        case .dijkstra: "by cost only"
        case .aStar: "by cost plus the estimated remaining cost"
        case .bidirectional: "from both ends"
        case .hierarchy: "over precomputed shortcuts"
        }
    }
}

extension LocalMoment {
    /// An instant in a time zone.
    init(_ moment: Timestamp, in zone: TimeZone) {
        let local = moment.civil(in: zone)
        self.init(
            month: local.date.month, day: local.date.day, weekday: local.date.isoWeekday,
            minute: local.minutesOfDay, year: local.date.year)
    }

    /// The time zone of a place; `nil` where it is unknown, or zones that are near differ at an instant.
    static func zone(at coordinate: Coordinate, _ moment: Timestamp) -> TimeZone? {
        let zones = PlaceZones.candidates(at: coordinate)
        guard let first = zones.first, Set(zones.map { utcOffset(moment, in: $0) }).count == 1 else {
            return nil
        }
        return first
    }

    /// Minutes that local time is ahead of UTC.
    static func utcOffset(_ moment: Timestamp, in zone: TimeZone) -> Int {
        let (local, universal) = (moment.civil(in: zone), moment.civil(in: .gmt))
        let days = local.date.daysSinceEpoch - universal.date.daysSinceEpoch
        return days * 24 * 60 + local.minutesOfDay - universal.minutesOfDay
    }
}

extension AvoidedWays {
    /// Parses a box of four numbers, `way=ID`, else the name of a way.
    init(_ texts: [String]) throws {
        for text in texts {
            let numbers = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
            if numbers.count == 4, numbers.allSatisfy({ $0 != nil }) {
                let sides = numbers.compactMap { $0 }
                guard abs(sides[0]) <= 90, abs(sides[2]) <= 90, sides[0] <= sides[2], abs(sides[1]) <= 180,
                    abs(sides[3]) <= 180
                else {
                    throw RouteErrors.unusableAvoid(
                        "`\(text)` is not a box", at: .parameter("avoid"),
                        fix: "south,west,north,east in degrees")
                }
                boxes.append(BoundingBox(south: sides[0], west: sides[1], north: sides[2], east: sides[3]))
            } else if text.hasPrefix("way=") {
                guard let id = Int64(text.dropFirst(4)) else {
                    throw RouteErrors.unusableAvoid("`\(text)` has no whole number", at: .parameter("avoid"))
                }
                ways.insert(id)
            } else {
                names.insert(text)
            }
        }
    }
}
