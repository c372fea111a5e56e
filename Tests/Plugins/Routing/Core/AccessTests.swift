import PluginKit
import Testing

@testable import RoutingPlugin

/// Access by the table of the OpenStreetMap wiki, "Key:access": the most specific key decides.
@Suite struct AccessTests {
    private func verdict(_ tags: [String: String], _ mode: TravelMode = .hiking, allow: Set<String> = [])
        -> AccessRules.Verdict
    {
        AccessRules.verdict({ tags[$0] }, mode: mode, allowed: allow)
    }

    @Test(
        arguments: [
            (["access": "no"], true, true), (["access": "no", "foot": "yes"], false, true),
            (["access": "no", "bicycle": "yes"], true, false), (["access": "private"], true, true),
            (["access": "military"], true, true), (["access": "forestry"], true, true),
            (["access": "customers"], true, true), (["foot": "use_sidepath"], false, false),
            (["access": "no", "foot": "destination"], false, true), (["motorroad": "yes"], true, true),
            (["motorroad": "yes", "foot": "yes"], false, true), (["locked": "yes"], true, true),
            (["military": "danger_area"], true, true), (["vehicle": "no"], false, true), ([:], false, false),
            (["access": "permissive"], false, false), (["bicycle": "dismount"], false, false),
            (["foot": "discouraged"], false, false),
        ] as [([String: String], Bool, Bool)])
    func closed(tags: [String: String], onFoot: Bool, byBicycle: Bool) {
        #expect(verdict(tags).isClosed == onFoot)
        #expect(verdict(tags, .cycling).isClosed == byBicycle)
    }

    @Test func whatIsAskedForIsRestricted() {
        #expect(verdict(["access": "private"], allow: ["private"]) == .restricted("access=private"))
        #expect(verdict(["access": "private"]) == .closed("access=private", unless: "private"))
        #expect(verdict(["foot": "destination"]) == .restricted("foot=destination"))
    }

    // 2026-02-06 is a Friday.
    @Test(arguments: [
        ("no @ (Nov-Apr)", 2, 6, 5, 600, true), ("no @ (Nov-Apr)", 7, 1, 3, 600, false),
        ("no @ (Mo-Fr 08:00-18:00)", 2, 6, 5, 600, true), ("no @ (Mo-Fr 08:00-18:00)", 2, 6, 5, 1080, false),
        ("no @ (Mo-Fr 08:00-18:00)", 2, 7, 6, 600, false), ("no @ (22:00-06:00)", 2, 6, 5, 60, true),
        ("no @ (Dec 15-Mar 31)", 12, 20, 1, 0, true), ("no @ (Dec 15-Mar 31)", 12, 10, 1, 0, false),
        ("no @ (Jan,Mar)", 3, 1, 1, 0, true), ("no @ (Jan,Mar)", 2, 1, 1, 0, false),
        ("yes @ (May-Oct); no @ (Jul)", 7, 2, 4, 0, true),
        // The hours after midnight belong to the day before.
        ("no @ (Fr 22:00-06:00)", 2, 7, 6, 180, true), ("no @ (Fr 22:00-06:00)", 2, 6, 5, 180, false),
        ("no @ (Su 22:00-06:00)", 2, 9, 1, 180, true), ("no @ (Dec 22:00-06:00)", 1, 1, 4, 60, true),
        ("no @ (Dec 22:00-06:00)", 12, 1, 2, 60, false),
        // A weekday or month after a time begins an alternative.
        ("no @ (Mo 08:00-10:00,Tu 14:00-16:00)", 2, 2, 1, 900, false),
        ("no @ (Mo 08:00-10:00,Tu 14:00-16:00)", 2, 2, 1, 540, true),
        ("no @ (Mo 08:00-10:00,Tu 14:00-16:00)", 2, 3, 2, 900, true),
        ("no @ (Mo-Fr 08:00-18:00, Sa 09:00-12:00)", 2, 7, 6, 900, false),
        ("no @ (Mo-Fr 08:00-18:00, Sa 09:00-12:00)", 2, 7, 6, 600, true),
        ("no @ (Mo-Fr 08:00-18:00, Sa 09:00-12:00)", 2, 6, 5, 900, true),
        ("no @ (Jan 08:00-10:00, Mar 14:00-16:00)", 1, 5, 1, 900, false),
        ("no @ (Nov Mo, Dec Tu)", 12, 7, 1, 600, false), ("no @ (Nov Mo, Dec Tu)", 12, 1, 2, 600, true),
        ("no @ (Mo,We 08:00-10:00,14:00-16:00)", 2, 4, 3, 900, true),
        ("no @ (08:00-10:00 Mo-Fr)", 2, 7, 6, 540, false), ("no @ (Mo-Fr Nov-Apr)", 7, 1, 3, 600, false),
    ])
    func conditions(text: String, month: Int, day: Int, weekday: Int, minute: Int, isClosed: Bool) {
        let now = LocalMoment(month: month, day: day, weekday: weekday, minute: minute)
        let tags = ["access:conditional": text]
        #expect(AccessRules.verdict({ tags[$0] }, mode: .hiking, now: now).isClosed == isClosed)
        // Without a time the condition is stated.
        #expect(verdict(tags) == .restricted("access:conditional=\(text)"))
    }

    /// A limit for lorries does not concern walkers, whatever the time; one that a bicycle may exceed is
    /// undetermined.
    @Test(arguments: [
        ("no @ (weight>7.5)", AccessRules.Verdict.open), ("no @ (07:30-19:00 AND weight>7.5)", .open),
        ("no @ (length >= 12 m); no @ (Nov-Apr)", .restricted("")), ("no @ (weight>0.05)", .restricted("")),
        ("no @ (weight<7.5)", .restricted("")), ("no @ (width>2)", .restricted("")),
    ])
    func limitsOfVehicles(text: String, expected: AccessRules.Verdict) {
        for mode in TravelMode.allCases {
            let found = verdict(["access:conditional": text], mode)
            #expect(found == (expected == .open ? .open : .restricted("access:conditional=\(text)")))
        }
    }

    /// A way that is open at times is kept, although it is closed otherwise.
    @Test(arguments: [
        (["access": "no", "access:conditional": "yes @ (May-Oct)"], true),
        (["foot": "no", "bicycle": "no", "foot:conditional": "permissive @ (08:00-18:00)"], true),
        (["access": "no", "access:conditional": "private @ (May-Oct)"], false),
        (["access": "no", "access:conditional": "yes @ dry"], false), (["access": "no"], false),
    ])
    func seasonalWaysAreKept(tags: [String: String], isKept: Bool) {
        let verdict = WayRules.verdict(WayTags(tags.merging(["highway": "track"]) { $1 }))
        #expect((verdict != nil) == isKept)
        guard let kind = verdict?.kind else { return }
        let noonInJuly = LocalMoment(month: 7, day: 1, weekday: 3, minute: 720)
        #expect(!AccessRules.verdict(kind.value, mode: .hiking, now: noonInJuly).isClosed)
        #expect(AccessRules.verdict(kind.value, mode: .hiking).isClosed)
    }

    @Test func vehiclesIncludeBicycles() {
        let kind = EdgeKind(highway: "track", tags: ["vehicle:conditional": "no @ (Nov-Apr)"])
        let january = LocalMoment(month: 1, day: 7, weekday: 3, minute: 720)
        #expect(AccessRules.verdict(kind.value, mode: .cycling, now: january).isClosed)
        #expect(AccessRules.verdict(kind.value, mode: .hiking, now: january) == .open)
        #expect(Set(TagKeys.conditional).isSubset(of: TagKeys.access))
        #expect(Set(TagKeys.conditional + ["vehicle"]).isSubset(of: TagKeys.obstacles))
    }

    /// Plain length: restrictions, ferries and lifts have no extra cost; closed ways stay closed.
    @Test func bareDistance() {
        let kinds = [
            EdgeKind(highway: "track", tags: ["access": "destination"]),
            EdgeKind(highway: "ferry", tags: ["route": "ferry"]), EdgeKind(highway: "elevator", tags: [:]),
            EdgeKind(highway: "path", sacScale: "difficult_alpine_hiking", tags: [:]),
        ]
        for kind in kinds {
            #expect(CostProfile.distance.cost(distance: 120, gain: 9, loss: 9, kind: kind) == 120)
        }
        let closed = EdgeKind(highway: "track", tags: ["access": "private"])
        #expect(CostProfile.distance.cost(distance: 120, gain: 0, loss: 0, kind: closed) == .infinity)
    }

    @Test(arguments: [
        "no @ wet", "no", "@", "no @ (08:00-", "no @ (25:00-26:00)", "",
        "no @ (Jan 45-Feb 99)", "no @ (Jan 0-Feb 1)",
    ])
    func whatIsNotUnderstoodIsKept(text: String) {
        #expect(!ConditionalAccess.isUnderstood(text))
        let now = LocalMoment(month: 1, day: 1, weekday: 1, minute: 0)
        #expect(ConditionalAccess.value(text, at: now) == .unknown)
    }
}

@Suite struct CostRuleTests {
    @Test func everyShippedRuleIsRead() throws {
        #expect(CostProfile.hiking.rules.count == 45)
        #expect(CostProfile.walking.rules.count == 32)
        #expect(CostProfile.trailRunning.rules.count == 47)
        #expect(CostProfile.wheelchair.rules.count == 80)
        #expect(CostProfile.cycling.rules.count == 21)
        #expect(CostProfile.appHiking.rules.isEmpty)
    }

    @Test func bicyclesAreNotCarried() {
        let closed = [
            EdgeKind(highway: "path", sacScale: "demanding_mountain_hiking", tags: [:]),
            EdgeKind(highway: "path", tags: ["via_ferrata_scale": "1"]),
            EdgeKind(highway: "path", tags: ["barrier": "stile"]),
            EdgeKind(highway: "path", tags: ["barrier": "kissing_gate"]),
            EdgeKind(highway: "path", tags: ["barrier": "full-height_turnstile"]),
        ]
        for kind in closed { #expect(CostProfile.cycling.factor(of: kind) == .infinity) }
        let open = EdgeKind(highway: "path", surface: "asphalt", sacScale: "mountain_hiking", tags: [:])
        #expect(CostProfile.cycling.factor(of: open) == 1)
        #expect(CostProfile.cycling.factor(of: EdgeKind(highway: "path", tags: ["barrier": "gate"])) == 0)
        #expect(CostProfile.cycling.sacWarning == .mountainHiking)
    }

    @Test func conditionsAndEffects() throws {
        let rule = try CostRule("when highway=primary|trunk and sidewalk!=yes and surface=*: ×3, +30s, warn")
        #expect(rule.factor == 3 && rule.seconds == 30 && rule.warns && !rule.isForbidden)
        let known: [String: String] = [:]
        #expect(rule.holds(EdgeKind(highway: "trunk", surface: "asphalt", tags: known)))
        #expect(!rule.holds(EdgeKind(highway: "trunk", tags: known)))
        #expect(!rule.holds(EdgeKind(highway: "path", surface: "asphalt", tags: known)))
        #expect(!rule.holds(EdgeKind(highway: "primary", surface: "mud", tags: ["sidewalk": "yes"])))
    }

    @Test(arguments: [
        "highway=primary: ×3", "when highway=primary", "when : ×3", "when highway: ×3",
        "when hihgway=path: ×3",
        "when highway=path: ×-1", "when highway=path: ×0", "when highway=path: +-5s",
        "when highway=path: fast",
        "when highway=: ×3", "when highway=path: ×nan",
        "when highway=paht: ×3", "when sac_scale=T3: ×3", "when highway=path: ×2, ×3", "when highway=path:",
        "when highway=path: ×1e300", "when highway=path: ×1e-300", "when highway=path: +1e300s",
    ])
    func impossibleRulesAreRefused(text: String) {
        #expect(throws: CostRule.Fault.self) { try CostRule(text) }
    }

    /// By hand: 100 m of primary road, paved as nothing else is said, without a sidewalk, 10 m up: 100 × 4 + 10 × 7.92;
    /// the time knows no preference: 100 + 10 × 7.92 by 1.33 m/s.
    @Test func factorsChooseTheWayAndTakeNoTime() {
        let (profile, kind) = (CostProfile.hiking, EdgeKind(highway: "primary", tags: [:]))
        let cost = profile.cost(distance: 100, gain: 10, loss: 0, kind: kind)
        #expect(abs(cost - (400 + 79.2)) < 1e-9)
        let seconds = profile.seconds(distance: 100, gain: 10, loss: 0, profile.kindCost(kind))
        #expect(abs(seconds - (100 + 79.2) / 1.33) < 1e-9)
    }

    /// The parts of a breakdown make up the cost.
    @Test func theBreakdownIsTheCost() {
        let kinds = [
            EdgeKind(highway: "primary", tags: [:]),
            EdgeKind(highway: "steps", surface: "rock", tags: ["trail": "iwn"]),
            EdgeKind(
                highway: "path", sacScale: "mountain_hiking", trailVisibility: "bad", tags: ["ford": "yes"]),
            EdgeKind(highway: "ferry", tags: ["route": "ferry"]), EdgeKind(highway: "elevator", tags: [:]),
            EdgeKind(tags: ["barrier": "gate"]), EdgeKind(highway: "track", tags: ["foot": "destination"]),
        ]
        for profile in [CostProfile.hiking, .walking, .trailRunning, .appHiking] {
            for kind in kinds {
                for (gain, loss) in [(0.0, 0.0), (20, 0), (0, 30), (5, 5)] {
                    let whole = profile.cost(distance: 120, gain: gain, loss: loss, kind: kind)
                    let parts = profile.breakdown(distance: 120, gain: gain, loss: loss, kind: kind)
                    guard whole.isFinite else { continue }
                    #expect(abs(parts.cost - whole) < 1e-6, "\(profile.name) \(kind)")
                }
            }
        }
    }
}

@Suite struct TrailRelationTests {
    private func relation(_ id: Int64, _ name: String?, _ members: [Int64], _ network: String = "lwn")
        -> TrailRelations.Relation
    {
        TrailRelations.Relation(
            id: id, values: [name, nil, network, nil, "hiking", nil, nil], members: members)
    }

    @Test func waysOfRelationsInRelations() {
        let trails = TrailRelations([
            relation(1, "Local", [10, 11]), relation(2, "Far", [-4, -2, 12], "iwn"),
            relation(3, "Stage", [13]), relation(4, nil, [14]), relation(5, "Elsewhere", [-100]),
        ])
        #expect(trails.trails.map(\.name) == ["Far", "Local", "Stage"])
        // The far trail has the ways of both relations in it; the most important comes first.
        #expect(trails.ofWay[10] == [0, 1])
        #expect(trails.ofWay[13] == [0, 2])
        #expect(trails.ofWay[12] == [0])
        #expect(trails.ofWay[14] == nil)
    }

    @Test func aClosedTrailIsNotUsedAndSaid() {
        var closed = relation(1, "Gorge", [10])
        closed.values[5] = "closed"
        var other = relation(2, "Ridge", [10, 11])
        other.values[5] = "temporary"
        let trails = TrailRelations([closed, other])
        #expect(trails.trails.map(\.name) == ["Ridge"])
        #expect(trails.notices == ["the trail Gorge is not used: state=closed"])
    }

    @Test(arguments: [
        ("abandoned", "yes", ["the trail Gorge is not used: abandoned=yes"], 0),
        ("access", "no", ["the trail Gorge is not used: access=no"], 0),
        ("opening_hours", "May-Oct", ["the trail Gorge is not always open: opening_hours=May-Oct"], 1),
        ("seasonal", "no", [], 1), ("disused", "no", [], 1), ("foot", "yes", [], 1),
    ])
    func aTrailMayBeOutOfUseOrOpenAtTimes(key: String, value: String, notices: [String], count: Int) throws {
        var trail = relation(1, "Gorge", [10])
        let place = try #require(TrailRelations.keys.firstIndex(of: key))
        trail.values += [String?](repeating: nil, count: TrailRelations.keys.count - trail.values.count)
        trail.values[place] = value
        let trails = TrailRelations([trail])
        #expect(trails.notices == notices && trails.trails.count == count)
    }

    @Test func aFerryIsNoTrailAndHasADuration() {
        var ferry = relation(1, "Crossing", [10, -5, 11])
        (ferry.values[4], ferry.values[6]) = ("ferry", "01:00")
        var doubtful = ferry
        doubtful.values[6] = "soon"
        #expect(TrailRelations([ferry]).trails.isEmpty)
        #expect(FerryRelations.seconds([ferry]) == [.init(seconds: 3600, ways: [10, 11])])
        #expect(FerryRelations.seconds([doubtful, relation(2, "Ridge", [12])]).isEmpty)
    }

    @Test func alternativesAreNoPartOfTheirTrail() {
        var roles = relation(1, "Roles", [10, 11])
        roles.side = [12, 13]
        var only = relation(2, "Excursion", [])
        only.side = [14]
        let trails = TrailRelations([roles, only])
        #expect(trails.ofWay.keys.sorted() == [10, 11, 14])
        #expect(
            trails.notices == [
                "alternatives, excursions and approaches are no part of their trails here: 2 members of 1 trail"
            ])
    }

    @Test func cyclesEnd() {
        let trails = TrailRelations([relation(1, "A", [-3, 10]), relation(2, "B", [-2, 11])])
        #expect(trails.ofWay[10] == [0, 1])
        #expect(
            trails.notices == [
                "the trail relation 1 contains itself", "the trail relation 2 contains itself",
            ])
    }

    /// Also between relations that are no trails themselves.
    @Test func cyclesOfUnnamedRelationsAreReported() {
        let trails = TrailRelations([
            relation(1, "A", [-3]), relation(2, nil, [-4, 10]), relation(3, nil, [-3]),
        ])
        #expect(trails.ofWay[10] == [0])
        #expect(
            trails.notices == [
                "the trail relation 2 contains itself", "the trail relation 3 contains itself",
            ])
    }

    @Test(
        arguments: [
            ("red:red:white_bar", "red-white-red"), ("red:white:red_diamond", "red diamond on white"),
            ("x", nil), ("::", nil),
        ] as [(String, String?)])
    func symbols(text: String, words: String?) {

        #expect(Trail(id: 1, symbol: text).symbolWords == words)
    }
}
