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

    @Test func permissionIsNoKey() {
        let gate = ["barrier": "gate", "access": "private", "locked": "yes"]
        #expect(verdict(gate, allow: ["private"]) == .closed("locked=yes", unless: nil))
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
            (["cycleway": "opposite_track"], false), (["cycleway:left": "opposite_lane"], false),
            (["cycleway:left": "lane", "cycleway:left:oneway": "-1"], false),
            (["cycleway:left": "no", "cycleway:left:oneway": "-1"], true), (["cycleway": "lane"], true),
            (["cycleway:right": "lane", "cycleway:right:oneway": "yes"], true), ([:], true),
        ] as [([String: String], Bool)])
    func contraflow(tags: [String: String], isOneway: Bool) throws {
        let street = ["highway": "residential", "oneway": "yes"]
        let way = try #require(WayRules.verdict(WayTags(tags.merging(street) { own, _ in own })))
        #expect(way.kind.isOneway == isOneway)
    }
}
