import PluginKit
import Testing

@testable import RoutingPlugin

/// A value with a capital letter or a space behind it means what it means without; one that nobody knows stays as it is.
@Suite struct TagSpellingTests {
    @Test(
        arguments: [
            ("foot", "No", "no"), ("access", "PRIVATE ", "private"),
            ("access", "yes; Private", "yes;private"),
            ("surface", "Fine Gravel", "fine_gravel"), ("highway", " Path", "path"), ("bridge", "Yes", "yes"),
            ("oneway", "Yes", "yes"), ("fee", "5 EUR", "5 EUR"), ("fee", "Yes", "yes"), ("tidal", "No", "no"),
            ("barrier", "Kissing Gate", "kissing_gate"),
            ("sac_scale", "T3", "T3"), ("surface", "AS", "AS"), ("opening_hours", "Mo-Fr 08:00-17:00", nil),
            ("name", "Mill Lane ", nil), ("charge", "2 EUR", nil), ("access:conditional", "No @ (Mo)", nil),
        ] as [(String, String, String?)])
    func theUsualSpelling(key: String, value: String, expected: String?) {
        #expect(TagSpelling.usual(value, of: key) == expected ?? value)
    }

    @Test func aWayIsClosedInAnySpelling() throws {
        #expect(WayRules.verdict(WayTags(["highway": "Path", "foot": "No", "bicycle": "no"])) == nil)
        let way = try #require(WayRules.verdict(WayTags(["highway": "service", "oneway": "Yes"])))
        #expect(way.kind.isOneway)
    }

    /// A direction that is not understood is none that is free.
    @Test func anUnknownDirectionIsSaid() {
        let tags = ["highway": "service", "oneway": "sometimes"]
        #expect(AccessRules.verdict({ tags[$0] }, mode: .cycling) == .restricted("oneway=sometimes"))
        #expect(AccessRules.verdict({ tags[$0] }, mode: .hiking) == .open)
    }

    @Test(arguments: [("no", false), ("0", false), ("2 EUR", true)])
    func aGateWithoutAChargeIsFree(charge: String, warns: Bool) {
        let kind = WayRules.obstacle(["barrier": "gate", "charge": charge]).kind
        #expect(CostProfile.hiking.rules.contains { $0.warns && $0.holds(kind) } == warns)
    }

    @Test func aRaisedKerbForWheelchairsIsDoubtful() {
        func rules(_ tags: [String: String]) -> [CostRule] {
            CostProfile.wheelchair.rules.filter { $0.holds(WayRules.obstacle(tags).kind) }
        }
        let both = rules(["barrier": "kerb", "kerb": "raised", "wheelchair": "yes"])
        #expect(both.contains { $0.warns } && !both.contains { $0.isForbidden })
        let raised = rules(["barrier": "kerb", "kerb": "raised"])
        #expect(raised.contains { $0.isForbidden })
    }

    /// Of several grades, and of a text that names one, the hardest counts; what is not a list of grades stays doubtful.
    @Test(
        arguments: [
            ("T2-T4", SACScale.alpineHiking, true), ("hiking (short section T4)", .alpineHiking, true),
            ("4", .alpineHiking, true), ("difficult alpine hiking?", .difficultAlpineHiking, true),
            ("demanding hiking", nil, true), ("mountain_hiking (exposed)", .mountainHiking, true),
            ("T3+", .demandingMountainHiking, false), ("maybe", nil, true),
        ] as [(String, SACScale?, Bool)])
    func theHardestGradeThatIsNamedCounts(tag: String, grade: SACScale?, isDoubtful: Bool) {
        #expect(SACScale(tag: tag) == grade)
        #expect(SACScale.isDoubtful(tag) == isDoubtful)
    }

    @Test(arguments: [
        ("depth", "0.3-0.8 m", 0.8), ("depth", "0.2;0.7", 0.7), ("width", "0.6-1", 0.6), ("width", "1;2", 1),
        ("depth", "30-50 cm", 0.5),
    ])
    func ofARangeTheMostCarefulEndCounts(key: String, text: String, metres: Double) throws {
        let value = try #require(TagMeasures.value(text, of: key))
        #expect(abs(value - metres) < 1e-9)
    }

    @Test(arguments: [("1h30", 5400.0), ("1 h 30 min", 5400), ("30", 1800), ("90 min", 5400)])
    func aDurationInWords(text: String, seconds: Double) { #expect(TagMeasures.seconds(text) == seconds) }

    /// A motorway has one direction also where cyclists may use it.
    @Test func aMotorwayForCyclistsHasOneDirection() throws {
        func isOneway(_ tags: [String: String]) throws -> Bool {
            let motorway = ["highway": "motorway", "bicycle": "yes"].merging(tags) { $1 }
            return try #require(WayRules.verdict(WayTags(motorway))).kind.isOneway
        }
        #expect(try isOneway([:]) && !isOneway(["oneway": "no"]))
    }

    /// A road for buses is open to those whom it names, and to nobody else.
    @Test func aBuswayIsOpenToWhomItNames() throws {
        #expect(WayRules.verdict(WayTags(["highway": "busway"])) == nil)
        let way = try #require(WayRules.verdict(WayTags(["highway": "busway", "foot": "yes"])))
        #expect(AccessRules.verdict(way.kind.value, mode: .hiking) == .open)
        #expect(AccessRules.verdict(way.kind.value, mode: .cycling).isClosed)
    }
}
