import CivilTime
import Foundation
import Geodesy
import PluginKit
import Testing

@testable import RoutingPlugin

/// Tags of a state, of sides and of old schemes, which maps write beside the usual ones.
@Suite struct StateTagTests {
    private func verdict(_ tags: [String: String], _ mode: TravelMode = .hiking) -> AccessRules.Verdict {
        AccessRules.verdict({ tags[$0] }, mode: mode)
    }

    @Test(arguments: [
        ["crossing": "no"], ["blocked": "yes"], ["closed": "yes"], ["damage": "washed_out"],
        ["status": "closed"], ["operational_status": "out_of_order"], ["climbing:grade:uiaa": "III"],
        ["uiaa_scale": "2"], ["operational_status": "inoperative"], ["status": "non-operational"],
    ])
    func aStateThatMayStopOneIsSaid(tags: [String: String]) throws {
        let tag = try #require(tags.first)
        #expect(verdict(tags) == .restricted("\(tag.key)=\(tag.value)"))
    }

    @Test(arguments: [
        ["crossing": "zebra"], ["status": "active"], ["operational_status": "open"], ["closed": "no"],
    ])
    func aStateThatStopsNobodyIsNotSaid(tags: [String: String]) {
        #expect(verdict(tags) == .open)
    }

    @Test func ofAListOfBarriersEachCounts() {
        #expect(verdict(["barrier": "gate;stile"]) == .open)
        #expect(verdict(["barrier": "fence;wall"]) == .closed("barrier=fence;wall", unless: nil))
        #expect(verdict(["barrier": "gate;portcullis"]) == .restricted("barrier=gate;portcullis"))
        #expect(verdict(["barrier": "electric_fence"]).isClosed)
        #expect(verdict(["barrier": ";"]) == .restricted("barrier=;"))
    }

    @Test func bicyclesArePushedUpStepsThatAreMadeForIt() {
        let profile = CostProfile.cycling
        let plain = EdgeKind(highway: "steps", tags: [:])
        let ramp = EdgeKind(highway: "steps", tags: ["ramp:bicycle": "yes"])
        #expect(profile.factor(of: plain) == .infinity)
        #expect(profile.factor(of: ramp).isFinite)
        #expect(profile.factor(of: ramp) >= profile.speed / RoutingSettings.pushingSpeed)
        #expect(verdict(["highway": "steps", "bicycle": "yes"], .cycling) != .open)
    }

    @Test func waysForHorsesAreDoubtfulForBicycles() {
        #expect(verdict(["highway": "bridleway"], .cycling) != .open)
        #expect(verdict(["highway": "bridleway", "bicycle": "yes"], .cycling) == .open)
        #expect(verdict(["highway": "bridleway"]) == .open)
    }

    @Test(
        arguments: [
            (["sidewalk:both": "yes"], "both"), (["sidewalk:both": "no"], "no"),
            (["sidewalk:left": "yes", "sidewalk:right": "no"], "left"),
            (["sidewalk:left": "yes", "sidewalk:right": "yes"], "both"),
            (["sidewalk:left": "no", "sidewalk:right": "separate"], nil),
            (["sidewalk": "right", "sidewalk:both": "no"], "right"),
        ] as [([String: String], String?)])
    func aPavementOfOneSideIsOne(tags: [String: String], sidewalk: String?) {
        #expect(WayTags(tags).further["sidewalk"] == sidewalk)
    }

    @Test func aCrossingIsKeptOnlyWhereNobodyCrosses() {
        #expect(WayTags(["crossing": "zebra"]).further["crossing"] == nil)
        #expect(WayTags(["crossing": "no"]).further["crossing"] == "no")
    }

    @Test func platformsOfEitherSchemeAreWays() {
        let platform = WayRules.verdict(WayTags(["public_transport": "platform"]))
        #expect(platform?.kind.highway == "platform")
        #expect(WayRules.verdict(WayTags(["public_transport": "stop_area"])) == nil)
    }

    @Test func fordsAndKerbsByOtherNamesAreObstacles() {
        #expect(WayRules.isObstacle(["highway": "ford"]))
        #expect(WayRules.obstacle(["highway": "ford"]).kind.value("ford") == "yes")
        #expect(WayRules.isObstacle(["barrier": "kerb"]))
        #expect(!WayRules.isObstacle(["barrier": "kerb", "kerb": "lowered"]))
        // Of both sides of a crossing the higher kerb counts.
        let sides = ["highway": "crossing", "kerb:left": "lowered", "kerb:right": "raised"]
        #expect(WayRules.isObstacle(sides))
        #expect(CostProfile.wheelchair.factor(of: WayRules.obstacle(sides).kind) == .infinity)
        #expect(!WayRules.isObstacle(["highway": "crossing", "kerb:both": "lowered"]))
        let kerb = WayRules.obstacle(["barrier": "kerb", "height": "0.12"]).kind
        #expect(CostProfile.wheelchair.factor(of: kerb) == .infinity)
    }

    @Test func wheelsPassWhatIsMadeForThem() {
        func factor(_ tags: [String: String]) -> Double {
            CostProfile.wheelchair.factor(of: WayRules.obstacle(tags).kind)
        }
        #expect(factor(["barrier": "kissing_gate"]) == .infinity)
        #expect(factor(["barrier": "kissing_gate", "wheelchair": "yes"]).isFinite)
        #expect(factor(["barrier": "bollard", "maxwidth": "0.6"]) == .infinity)
        #expect(factor(["barrier": "bollard", "maxwidth": "1.2"]).isFinite)
    }

    @Test func theNthDayOfAJourneyBeginsAtTheSameTimeOfDay() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
        let date = try #require(CivilDate(year: 2026, month: 10, day: 24))
        // 00:30 by summer time, which ends in the night after.
        let midnight = Double(date.daysSinceEpoch) * 86_400 - 5400
        let departure = SettingOut(
            try #require(Timestamp(seconds: midnight)), at: Coordinate(latitude: 47, longitude: 8.5),
            own: zone)
        let days = (0...2).map { departure.local(afterDays: $0, sun: nil) }
        #expect(days.map(\.day) == [24, 25, 26])
        #expect(days.map(\.weekday) == [6, 7, 1])
        #expect(Set(days.map(\.minute)) == [30])
    }
}
