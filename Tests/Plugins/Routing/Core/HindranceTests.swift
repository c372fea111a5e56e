import PluginKit
import Testing

@testable import RoutingPlugin

/// Nothing unknown is free: what is not understood is said, what has no gap is closed.
@Suite struct HindranceTests {
    private func verdict(
        _ tags: [String: String], _ mode: TravelMode = .hiking, allow: Set<String> = [],
        at now: LocalMoment? = nil
    ) -> AccessRules.Verdict {
        AccessRules.verdict({ tags[$0] }, mode: mode, allowed: allow, now: now)
    }

    @Test(arguments: ["fence", "wall", "hedge", "city_wall", "guard_rail", "ditch", "retaining_wall"])
    func aBarrierWithoutAGapIsClosed(barrier: String) {
        #expect(verdict(["barrier": barrier]) == .closed("barrier=\(barrier)", unless: nil))
        // Someone says that there is a gap: passable, with the barrier named.
        #expect(verdict(["barrier": barrier, "foot": "yes"]) == .restricted("barrier=\(barrier)"))
    }

    @Test func anUnknownBarrierIsSaid() {
        #expect(verdict(["barrier": "portcullis"]) == .restricted("barrier=portcullis"))
        #expect(verdict(["barrier": "gate"]) == .open)
    }

    @Test(arguments: [["tidal": "yes"], ["ice_road": "yes"], ["seasonal": "winter"], ["conveying": "yes"]])
    func whatIsNotAlwaysThereIsSaid(tags: [String: String]) throws {
        let tag = try #require(tags.first)
        #expect(verdict(tags) == .restricted("\(tag.key)=\(tag.value)"))
        #expect(verdict([tag.key: "no"]) == .open)
        // Permission does not stop the tide.
        #expect(verdict([tag.key: tag.value, "foot": "yes"]) == .restricted("\(tag.key)=\(tag.value)"))
    }

    @Test func unknownAccessIsSaidAndTheMostCarefulOfAListCounts() {
        #expect(verdict(["access": "sometimes"]) == .restricted("access=sometimes"))
        #expect(verdict(["foot": "yes;private"]) == .closed("foot=yes;private", unless: "private"))
        #expect(verdict(["foot": "yes;designated"]) == .open)
        #expect(
            verdict(["access": "destination", "tidal": "yes"])
                == .restricted("access=destination, tidal=yes"))
    }

    /// The order of words of an older scheme of access, which maps still have.
    @Test func accessOfAModeMayBeWrittenTheOtherWayRound() {
        #expect(verdict(["access:foot": "no"]) == .closed("access:foot=no", unless: nil))
        #expect(verdict(["access:foot": "no", "foot": "yes"]) == .open)
        #expect(verdict(["access": "no", "access:foot": "yes"]) == .open)
        #expect(verdict(["access:bicycle": "no"], .cycling).isClosed)
    }

    /// OpenStreetMap wiki, "Key:incline": the sign is that of the direction of the way.
    @Test(
        arguments: [
            ("up", false, true), ("up", true, false), ("-12%", false, false), ("-12%", true, true),
            ("steep", false, nil), ("0%", false, nil),
        ] as [(String, Bool, Bool?)])
    func anInclineHasADirection(incline: String, isReversed: Bool, ascends: Bool?) throws {
        let way = try #require(WayRules.verdict(WayTags(["highway": "steps", "incline": incline])))
        #expect(way.kind.ascends(isReversed: isReversed) == ascends)
        // The nodes of a way against which one may ride are reversed.
        let back = try #require(
            WayRules.verdict(WayTags(["highway": "path", "incline": incline, "oneway": "-1"])))
        #expect(back.isFlipped && back.kind.ascends(isReversed: !isReversed) == ascends)
    }

    @Test func permissionIsNoKey() {
        let gate = ["barrier": "gate", "access": "private", "locked": "yes"]
        #expect(verdict(gate, allow: ["private"]) == .closed("locked=yes", unless: nil))
    }

    @Test func aDirectionThatIsRestrictedIsSaid() throws {
        let way = try #require(
            WayRules.verdict(
                WayTags(["highway": "secondary", "bicycle:forward": "use_sidepath", "foot:backward": "no"])))
        #expect(
            AccessRules.verdict(way.kind.value, mode: .cycling) == .restricted("bicycle:forward=use_sidepath")
        )
        // What closes a direction is none.
        #expect(AccessRules.verdict(way.kind.value, mode: .hiking) == .open)
        #expect(way.kind.flags.contains(.noWalkBackward))
    }

    @Test func aLockIsOfAGateNotOfShips() {
        #expect(verdict(["barrier": "gate", "lock": "yes"]) == .restricted("lock=yes"))
        #expect(verdict(["barrier": "gate", "lock": "yes", "locked": "no"]) == .open)
        #expect(verdict(["highway": "path", "lock": "yes"]) == .open)
    }

    @Test func aWayThatIsNotForHikersIsSaid() {
        #expect(verdict(["highway": "path", "hiking": "no"]) == .restricted("hiking=no"))
        #expect(verdict(["highway": "path", "hiking": "no", "foot": "yes"]) == .open)
        #expect(verdict(["highway": "path", "hiking": "no"], .cycling) == .open)
    }

    // 2026-07-12 is a Sunday.
    @Test func openingHours() {
        let way = ["opening_hours": "Mo-Fr 08:00-17:00"]
        let sunday = LocalMoment(month: 7, day: 12, weekday: 7, minute: 720)
        let tuesday = LocalMoment(month: 7, day: 14, weekday: 2, minute: 720)
        #expect(verdict(way, at: sunday).isClosed)
        #expect(verdict(way, at: tuesday) == .open)
        #expect(verdict(way) == .restricted("opening_hours=Mo-Fr 08:00-17:00"))
        #expect(verdict(["opening_hours": "sunrise-sunset"], at: tuesday) != .open)
        #expect(verdict(["opening_hours": "24/7"], at: sunday) == .open)
    }

    @Test(
        arguments: [
            ("T5", 5), ("t4+", 4), ("mountain_hiking;demanding_alpine_hiking", 5), ("hiking, T3", 3),
            ("Alpine Hiking", 4), ("T7", nil), ("yes", nil), ("", nil), ("strolling", nil),
        ] as [(String, Int?)])
    func gradesOfOtherSpellings(text: String, grade: Int?) {
        #expect(SACScale(tag: text)?.grade == grade)
    }

    @Test func anUnknownGradeIsSaid() {
        #expect(verdict(["sac_scale": "T7"]) == .restricted("sac_scale=T7"))
        #expect(verdict(["sac_scale": "hiking;wild"]) == .restricted("sac_scale=hiking;wild"))
        #expect(verdict(["sac_scale": "no"]) == .open)
        #expect(verdict(["sac_scale": "strolling"]) == .open)
    }

    @Test(
        arguments: [
            (["foot:backward": "no"], true, false), (["foot:forward": "no"], false, true),
            (["highway": "steps", "conveying": "forward"], true, false),
            (["highway": "steps", "conveying": "backward"], false, true),
            (["highway": "steps", "conveying": "reversible"], true, true),
        ] as [([String: String], Bool, Bool)])
    func directionsOfWalkers(tags: [String: String], there: Bool, back: Bool) throws {
        let way = try #require(WayRules.verdict(WayTags(tags.merging(["highway": "path"]) { own, _ in own })))
        #expect(!way.kind.flags.contains(.noWalkForward) == there)
        #expect(!way.kind.flags.contains(.noWalkBackward) == back)
    }

    @Test(
        arguments: [
            (["oneway:bicycle": "no"], false), (["cycleway": "opposite"], false),
            (["cycleway": "opposite_track"], false), (["bicycle:backward": "yes"], false),
            (["bicycle:backward": "no"], true), (["bicycle:forward": "yes"], true),
            (["cycleway:left": "opposite_lane"], false),
            (["cycleway:left": "lane", "cycleway:left:oneway": "-1"], false),
            (["cycleway:left": "no", "cycleway:left:oneway": "-1"], true), (["cycleway": "lane"], true),
            (["cycleway:right": "lane", "cycleway:right:oneway": "yes"], true), ([:], true),
            (["cycleway:both": "lane", "cycleway:both:oneway": "no"], false),
            (["cycleway": "track", "cycleway:oneway": "no"], false), (["bicycle:oneway": "no"], false),
            (["cycleway": "no", "cycleway:oneway": "no"], true),
            (["bicycle:oneway": "no", "oneway:bicycle": "yes"], true),
        ] as [([String: String], Bool)])
    func contraflow(tags: [String: String], isOneway: Bool) throws {
        let street = ["highway": "residential", "oneway": "yes"]
        let way = try #require(WayRules.verdict(WayTags(tags.merging(street) { own, _ in own })))
        #expect(way.kind.isOneway == isOneway)
    }

    /// `oneway` binds vehicles; where only walkers go it may be meant for them.
    @Test(
        arguments: [
            (["highway": "footway"], true), (["highway": "path", "bicycle": "no"], true),
            (["highway": "path"], false), (["highway": "footway", "bicycle": "designated"], false),
            (["highway": "residential", "bicycle": "no"], false),
            (["highway": "footway", "oneway:foot": "no"], false),
        ] as [([String: String], Bool)])
    func againstTheDirectionOfAFootway(tags: [String: String], isDoubtful: Bool) throws {
        let kind = try #require(WayRules.verdict(WayTags(tags.merging(["oneway": "yes"]) { $1 }))).kind
        let back = WalkersOneway.doubt(kind, .hiking, isReversed: true)
        #expect(back == (isDoubtful ? "against oneway=yes" : nil))
        #expect(WalkersOneway.doubt(kind, .hiking, isReversed: false) == nil)
        #expect(WalkersOneway.doubt(kind, .cycling, isReversed: true) == nil)
    }

    @Test func aStreetForBicyclesIsClosedToOtherVehicles() {
        let tags = ["highway": "residential", "vehicle": "no", "bicycle_road": "yes"]
        let closed = tags.merging(["bicycle": "no"]) { $1 }
        #expect(AccessRules.verdict({ tags[$0] }, mode: .cycling) == .open)
        #expect(AccessRules.verdict({ closed[$0] }, mode: .cycling).isClosed)
    }

    @Test func aConditionWithItsModeBehindAccessIsKept() {
        let tags = ["highway": "path", "access": "no", "access:foot:conditional": "designated @ (Apr-Oct)"]
        #expect(TagKeys.all.contains("access:foot:conditional"))
        #expect(AccessRules.mayOpen { tags[$0] })
    }

    @Test func theDirectionOfAReversibleWayIsUnknown() {
        let tags = ["highway": "residential", "oneway": "reversible"]
        let own = tags.merging(["oneway:bicycle": "no"]) { $1 }
        #expect(AccessRules.verdict({ tags[$0] }, mode: .cycling) == .restricted("oneway=reversible"))
        #expect(AccessRules.verdict({ own[$0] }, mode: .cycling) == .open)
        #expect(AccessRules.verdict({ tags[$0] }, mode: .hiking) == .open)
    }

    @Test(arguments: [
        ["impassable": "yes"], ["passable": "no"], ["demolished": "yes"], ["removed": "2019"],
        ["bridge": "collapsed"], ["tunnel": "demolished"],
    ])
    func aWayThatIsNoMoreIsClosed(tags: [String: String]) throws {
        let tag = try #require(tags.first)
        #expect(verdict(tags) == .closed("\(tag.key)=\(tag.value)", unless: nil))
        // Nobody's permission rebuilds it.
        #expect(verdict(tags.merging(["foot": "yes"]) { own, _ in own }).isClosed)
        #expect(WayRules.verdict(WayTags(tags.merging(["highway": "path"]) { own, _ in own })) == nil)
    }

    @Test(arguments: [
        ["abandoned": "yes"], ["disused": "yes"], ["disused:highway": "path"], ["construction": "minor"],
        ["overgrown": "dense"], ["obstacle": "fallen_tree"], ["impassable": "winter"],
        ["passable": "sometimes"], ["bridge": "abandoned"], ["temporary:access": "no"],
        ["locked": "perhaps"],
    ])
    func aNeglectedWayIsSaid(tags: [String: String]) throws {
        let tag = try #require(tags.first)
        #expect(verdict(tags) == .restricted("\(tag.key)=\(tag.value)"))
        // The import keeps the tag, so that a route says it.
        let way = try #require(WayRules.verdict(WayTags(tags.merging(["highway": "path"]) { own, _ in own })))
        #expect(way.kind.value(tag.key) == tag.value)
    }

    @Test(arguments: ["abandoned", "disused", "overgrown", "obstacle", "impassable", "demolished", "locked"])
    func whatIsDeniedHindersNobody(key: String) { #expect(verdict([key: "no"]) == .open) }

    @Test func aLockBesideAPassageIsSaid() {
        let gate = ["barrier": "gate", "locked": "yes", "foot": "yes"]
        #expect(verdict(gate) == .restricted("locked=yes"))
        #expect(verdict(["foot": "use_sidepath"]) == .restricted("foot=use_sidepath"))
    }

    @Test func aLockByTheClock() {
        let gate = ["barrier": "gate", "locked:conditional": "yes @ (22:00-06:00)"]
        let night = LocalMoment(month: 7, day: 14, weekday: 2, minute: 1400)
        let noon = LocalMoment(month: 7, day: 14, weekday: 2, minute: 720)
        #expect(verdict(gate, at: night) == .closed("locked:conditional=yes @ (22:00-06:00)", unless: nil))
        #expect(verdict(gate, at: noon) == .open)
        #expect(verdict(gate) == .restricted("locked:conditional=yes @ (22:00-06:00)"))
        let opened = ["barrier": "gate", "locked": "yes", "locked:conditional": "no @ (08:00-18:00)"]
        #expect(verdict(opened, at: noon) == .open)
        #expect(verdict(opened, at: night) == .closed("locked=yes", unless: nil))
    }

    private func goes(
        _ tags: [String: String], _ profile: CostProfile, at now: LocalMoment?
    ) throws -> (there: Bool, back: Bool) {
        let way = try #require(WayRules.verdict(WayTags(tags.merging(["highway": "path"]) { own, _ in own })))
        var profile = profile
        profile.moment = now
        return (
            profile.mayGo(way.kind, isReversed: false), profile.mayGo(way.kind, isReversed: true)
        )
    }

    @Test func aDirectionThatIsClosedAtTimes() throws {
        let december = LocalMoment(month: 12, day: 15, weekday: 2, minute: 720)
        let july = LocalMoment(month: 7, day: 14, weekday: 2, minute: 720)
        let tags = ["foot:backward:conditional": "no @ (Dec-May)"]
        #expect(try goes(tags, .hiking, at: december) == (true, false))
        #expect(try goes(tags, .hiking, at: july) == (true, true))
        #expect(try goes(tags, .cycling, at: december) == (true, true))
        // Without a time it is said.
        #expect(verdict(tags) == .restricted("foot:backward:conditional=no @ (Dec-May)"))
        #expect(verdict(tags, at: july) == .open)
        // The way's own access of walkers is more specific than that of all.
        let general = ["access:forward:conditional": "no @ (Dec-May)", "foot": "yes"]
        #expect(try goes(general, .hiking, at: december) == (true, true))
        #expect(try goes(general, .cycling, at: december) == (false, true))
        let oneway = ["oneway:conditional": "yes @ (Jul)"]
        #expect(try goes(oneway, .cycling, at: july) == (true, false))
        #expect(try goes(oneway, .cycling, at: december) == (true, true))
        #expect(try goes(oneway, .hiking, at: july) == (true, true))
    }

    /// The edges of a way that cyclists may only ride backwards are reversed, the words of its tags are not.
    @Test func aTimedDirectionIsThatOfTheWay() throws {
        let july = LocalMoment(month: 7, day: 14, weekday: 2, minute: 720)
        let tags = ["oneway": "-1", "foot:forward:conditional": "no @ (Jul)"]
        // The edge runs backward, so forward is its reverse.
        #expect(try goes(tags, .hiking, at: july) == (true, false))
    }

    @Test(
        arguments: [
            (["access:backward": "no"], true, false), (["access:backward": "no", "foot": "yes"], true, true),
            (["vehicle:backward": "no"], true, true),
        ] as [([String: String], Bool, Bool)])
    func theMostSpecificDirectionDecides(tags: [String: String], there: Bool, back: Bool) throws {
        #expect(try goes(tags, .hiking, at: nil) == (there, back))
    }

    @Test(arguments: [
        (["barrier": "entrance", "access": "private"], true),
        (["barrier": "toll_booth", "foot": "no"], true),
        (["barrier": "border_control"], false), (["railway": "level_crossing", "foot": "no"], true),
        (["access": "no"], true), (["access": "yes"], false), (["door": "yes", "locked": "yes"], true),
        (["highway": "crossing", "foot": "no"], false), (["obstacle": "fallen_tree"], true),
        (["impassable": "yes"], true), (["obstacle": "no"], false),
        (["passable": "no"], true), (["passable": "yes"], false),
    ])
    func nodesThatHinder(tags: [String: String], isObstacle: Bool) {
        #expect(WayRules.isObstacle(tags) == isObstacle)
        guard isObstacle, tags["obstacle"] == nil else { return }
        let kind = WayRules.obstacle(tags).kind
        #expect(AccessRules.verdict(kind.value, mode: .hiking).isClosed)
    }

    @Test(arguments: ["off", "24/7 off", "Closed"])
    func whatIsNeverOpenIsClosedAtNoTime(hours: String) {
        let tags = ["barrier": "gate", "opening_hours": hours]
        #expect(AccessRules.verdict({ tags[$0] }, mode: .hiking).isClosed)
    }

    @Test func aNodeLockedAtTimesIsAGate() {
        let tags = ["locked:conditional": "yes @ (22:00-06:00)"]
        #expect(WayRules.isObstacle(tags))
        #expect(WayRules.obstacle(tags).kind.obstacle == "gate")
    }

    @Test(arguments: ["passable", "locked:conditional"])
    func theReaderTakesNodesOfTheKeysThatHinder(key: String) {
        #expect(TagKeys.obstacles.prefix(TagKeys.obstacleMarks).contains(key))
    }

    @Test func aConditionThatAMoreSpecificKeyOverridesIsNoDoubt() {
        let general = ["access:forward:conditional": "no @ (Dec-May)"]
        let own = general.merging(["foot": "yes"]) { first, _ in first }
        let doubt = ["access:forward:conditional=no @ (Dec-May)"]
        #expect(TimedDirections.doubts({ general[$0] }, mode: .hiking, at: nil) == doubt)
        #expect(TimedDirections.doubts({ own[$0] }, mode: .hiking, at: nil).isEmpty)
        #expect(TimedDirections.doubts({ own[$0] }, mode: .cycling, at: nil) == doubt)
    }
}
