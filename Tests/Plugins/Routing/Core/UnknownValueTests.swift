import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// What a map says in words that are not understood is counted and said, and rules may name it.
@Suite struct UnknownValueTests {
    @Test(arguments: [
        ("access", "sometimes", false), ("access", "yes;private", true), ("foot", "discouraged", true),
        ("barrier", "portcullis", false), ("barrier", "gate", true), ("surface", "AS", false),
        ("surface", "compacted;gravel", true), ("surface", "compacted;goo", false),
        ("ford", "perhaps", false),
        ("incline", "up", true), ("incline", "12%", true), ("incline", "steep", false),
        ("width", "narrow", false), ("width", "2 m", true), ("kerb", "raised", true), ("kerb", "5 m", false),
        ("sac_scale", "T7", false), ("sac_scale", "T3", true), ("smoothness", "medium", false),
        ("opening_hours", "now and then", false), ("name", "anything", true),
    ])
    func valuesThatAreUnderstood(key: String, value: String, isKnown: Bool) {
        #expect(KnownValues.isUnderstood(value, of: key) == isKnown)
    }

    /// Every surface, grade and barrier that a shipped profile names is understood.
    @Test func profilesNameOnlyKnownValues() {
        for profile in CostProfiles.all {
            for surface in profile.surfaces.keys {
                #expect(KnownValues.isUnderstood(surface, of: "surface"), "\(surface)")
            }
            for condition in profile.rules.flatMap(\.conditions) {
                for value in condition.values {
                    #expect(
                        KnownValues.isUnderstood(value, of: condition.key), "\(condition.key)=\(value)")
                }
            }
        }
    }

    /// What one walks on has a factor for bicycles, too.
    @Test func everySurfaceOnFootIsOneForBicycles() {
        #expect(Set(CostProfile.cycling.surfaces.keys) == Set(CostProfile.hiking.surfaces.keys))
    }

    private var map: WaysInMetres {
        var map = WaysInMetres()
        map.add("surface=AS", (0, 0), (100, 0))
        map.add("surface=AS access=restricted", (100, 0), (200, 0), (300, 0), nodeTags: [1: "barrier=debris"])
        map.add("surface=asphalt width=2", (300, 0), (400, 0))
        map.add("highway=zebra", (400, 0), (500, 0))
        map.add("highway=motorway", (400, 0), (500, 50))
        return map
    }

    @Test(.needs(.osmium)) func anImportCountsThem() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", map.document)
        let report = try RegionImport(into: folder.regions).run(.init(source: file, name: "test"))
        #expect(
            report.unknownValues.sorted.map { "\($0.count) \($0.tag)" } == [
                "2 surface=AS", "1 access=restricted", "1 barrier=debris", "1 highway=zebra",
            ])
        #expect(report.notices.contains { $0.hasPrefix("4 tags of ways and obstacles not understood") })
        let region = try RoutingRegion(folder.regions.database("test"), isOwn: true)
        let kept = try #require(region.metadata[RegionMetadata.unknownValues])
        #expect(UnknownValues(text: kept) == report.unknownValues)
    }

    @Test func nothingUnknownIsNoNotice() {
        #expect(UnknownValues().notice(region: "x") == nil)
        #expect(UnknownValues(text: "") == UnknownValues())
    }

    @Test func aRuleOnWhatIsNotUnderstood() throws {
        let rule = try CostRule("when surface=?: ×2, warn")
        #expect(rule.holds(EdgeKind(surface: "AS", tags: [:])))
        #expect(!rule.holds(EdgeKind(surface: "asphalt", tags: [:])))
        #expect(!rule.holds(EdgeKind(tags: [:])))
        #expect(throws: CostRule.Fault.self) { try CostRule("when route=?: warn") }
    }

    /// Of a list the most careful counts.
    @Test func listsOfSurfaces() throws {
        #expect(
            CostProfile.wheelchair.kindCost(EdgeKind(surface: "sand;asphalt", tags: [:])).factor == .infinity)
        #expect(
            CostProfile.wheelchair.kindCost(EdgeKind(surface: "asphalt;mud", tags: [:])).factor == .infinity)
        let mixed = EdgeKind(highway: "path", surface: "asphalt;gravel", tags: [:])
        #expect(CostProfile.hiking.surfaceFactor(mixed) == CostProfile.hiking.surfaces["gravel"])
        let doubtful = EdgeKind(highway: "path", surface: "asphalt;goo", tags: [:])
        #expect(CostProfile.hiking.surfaceFactor(doubtful) == CostProfile.hiking.otherSurface)
    }

    @Test(arguments: ["walking", "hiking", "wheelchair"]) func fordsAreSaid(name: String) throws {
        let profile = try #require(CostProfiles.all.first { $0.name == name })
        func warns(_ tags: [String: String]) -> Bool {
            let kind = EdgeKind(highway: "path", surface: "asphalt", tags: tags)
            return profile.rules.contains { $0.warns && $0.holds(kind) }
        }
        #expect(warns(["ford": "yes"]) && warns(["ford": "stepping_stones"]) && warns(["ford": "who_knows"]))
        #expect(!warns(["ford": "no"]))
        let boat = EdgeKind(highway: "path", surface: "asphalt", tags: ["ford": "boat"])
        let deep = EdgeKind(highway: "path", surface: "asphalt", tags: ["ford": "yes", "depth": "1.5"])
        #expect(profile.factor(of: boat) == .infinity && profile.factor(of: deep) == .infinity)
        #expect(warns(["hazard": "rock_slide"]) && !warns(["hazard": "wild_animal"]))
    }

    @Test(arguments: ["log", "horse_stile", "stile"]) func wheelsDoNotClimb(barrier: String) {
        let kind = EdgeKind(tags: ["barrier": barrier])
        #expect(CostProfile.wheelchair.factor(of: kind) == .infinity)
        #expect(CostProfile.cycling.factor(of: kind) == .infinity)
    }

    @Test func roughPathsOfBicycles() {
        func factor(_ scale: String) -> Double {
            CostProfile.cycling.factor(of: EdgeKind(highway: "path", tags: ["mtb:scale": scale]))
        }
        #expect(factor("5") == .infinity && factor("2") > factor("0"))
        #expect(factor("0") == CostProfile.cycling.factor(of: EdgeKind(highway: "path", tags: [:])))
        let steps = EdgeKind(highway: "footway", surface: "asphalt", tags: ["step_count": "3"])
        #expect(CostProfile.wheelchair.factor(of: steps) == .infinity)
    }
}
