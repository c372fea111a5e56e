import PluginKit

extension CostProfile {
    /// The formula of the app, to reproduce its routes. The costs in a region's database are these.
    package static let appHiking = CostProfile(
        name: "app-hiking", mode: .hiking, speed: 1.33,
        surfaces: [
            "paved": 1.0, "asphalt": 1.0, "concrete": 1.0, "compacted": 1.1, "fine_gravel": 1.1, "wood": 1.1,
            "gravel": 1.2, "ground": 1.3, "dirt": 1.3, "earth": 1.3, "grass": 1.4, "rock": 1.5,
            "pebblestone": 1.5, "sand": 1.8, "mud": 2.0,
        ],
        otherSurface: 1.3,
        sacScales: [
            "hiking": 1.0, "mountain_hiking": 1.2, "demanding_mountain_hiking": 1.5, "alpine_hiking": 2.0,
            "demanding_alpine_hiking": 3.0, "difficult_alpine_hiking": 5.0,
        ],
        highways: ["steps": 1.5], closedHighways: [],
        gain: 7.92, loss: 7.92,
        descents: [
            Descent(below: 5, factor: 0), Descent(below: 15, factor: 0.3), Descent(below: 25, factor: 0.8),
        ],
        steepestDescent: 1.5, sacLimit: nil)

    /// Cycling: up to T2, no via ferrata, nothing that a bicycle must be lifted over.
    package static let cycling = CostProfile(
        name: "cycling", mode: .cycling, speed: 4.17,
        surfaces: [
            "paved": 1.0, "asphalt": 1.0, "concrete": 1.0, "compacted": 1.2, "wood": 1.2, "fine_gravel": 1.3,
            "gravel": 1.5, "pebblestone": 2.0, "ground": 2.0, "dirt": 2.0, "earth": 2.0, "rock": 2.5,
            "grass": 3.0, "sand": 3.0, "mud": 4.0, "paving_stones": 1.1, "concrete:plates": 1.0,
            "concrete:lanes": 1.1, "chipseal": 1.0, "bricks": 1.1, "brick": 1.1, "tartan": 1.0, "rubber": 1.0,
            "acrylic": 1.0, "plastic": 1.0, "metal": 1.1, "metal_grid": 1.3, "sett": 1.3,
            "cobblestone:flattened": 1.3, "cobblestone": 1.6, "unhewn_cobblestone": 2.0, "grass_paver": 2.0,
            "artificial_turf": 1.5, "carpet": 1.3, "unpaved": 1.5, "clay": 2.0, "stone": 2.0,
            "woodchips": 2.5,
        ],
        otherSurface: 1.5, sacScales: [:], highways: [:], closedHighways: [],
        gain: 12.0, loss: 0, descents: [], steepestDescent: 0, sacLimit: .mountainHiking,
        sacWarning: .mountainHiking,
        rules: CostRule.all([
            "when via_ferrata_scale=*: forbidden", stepsWithoutRamp, impassableBarriers,
            "when smoothness=impassable: forbidden", "when smoothness=very_horrible|horrible: ×2, warn",
            "when smoothness=?: warn", "when mtb:scale=1-|1|1+: ×1.5", "when mtb:scale=2-|2|2+: ×3, warn",
            "when mtb:scale=3-|3|3+|4-|4|4+|5-|5|5+|6-|6|6+: forbidden", "when mtb:scale=?: ×2, warn",
            "when ladder=yes: forbidden", unknownFord, steppingStones, boatFord,
            deepFord, hazards, unknownDuration, "when barrier=step: +20s, warn",
            "when maxwidth:physical<0.6: +30s, warn", "when door=revolving: +30s, warn",
            "when surface=snow|ice: warn",
        ]))

    /// Obstacles that stop wheels.
    private static let tightBarriers =
        "barrier=stile|horse_stile|kissing_gate|turnstile|full-height_turnstile|log|squeeze"
    private static let impassableBarriers = "when \(tightBarriers): forbidden"
    /// The same, but for those that are made for wheelchairs.
    private static let barriersOfWheels =
        "when \(tightBarriers) and wheelchair!=yes|designated|limited: forbidden"

    /// Steps up which nobody pushes a bicycle.
    private static let stepsWithoutRamp =
        "when highway=steps and bicycle!=yes|designated|permissive|official|dismount and ramp:bicycle!=yes and "
        + "ramp!=yes: forbidden"

    // Rules of conditions that all profiles share. Animals and people on a road are no hazard to walkers.
    static let harmlessHazards: Set<String> = [
        "no", "wild_animal", "animal_crossing", "cattle", "children", "school_zone", "cyclists",
        "pedestrians", "curve",
        "curves", "dangerous_junction", "low_flying_aircraft", "turn", "turns", "traffic_signals",
        "queues_likely",
    ]
    private static let unknownFord = "when ford=* and ford!=no|stepping_stones|boat: +60s, warn"
    private static let steppingStones = "when ford=stepping_stones: +20s, warn"
    private static let boatFord = "when ford=boat: forbidden"
    private static let deepFord = "when ford=* and depth>0.6: forbidden"
    private static let hazards =
        "when hazard=* and hazard!=\(harmlessHazards.sorted().joined(separator: "|")): warn"

    /// A duration that is not understood, or of an impossible speed.
    private static let unknownDuration = "when route=ferry and duration=* and ferry:speed!=*: warn"

    /// Conditions that walkers meet.
    private static let conditionRules = CostRule.all([
        unknownFord, steppingStones, boatFord, deepFord, hazards, unknownDuration,
        "when fee=* and fee!=no|free|0: warn",
        "when reservation=required|members_only: warn", "when permit=* and permit!=no: warn",
        "when cai_scale=EE|EEA: warn", "when surface=snow|ice: warn",
        "when fee:conditional=*: warn", "when toll:foot=yes: warn", "when toll:foot:conditional=*: warn",
        "when charge=* and charge!=no|free|0 and barrier=*: warn",
        // On a road it is that of vehicles.
        "when toll=yes and highway=path|footway|steps|pedestrian: warn",
        "when toll:conditional=* and highway=path|footway|steps|pedestrian: warn",
        "when charge=* and charge!=no|free|0 and highway=path|footway|steps|pedestrian|track: warn",
        "when flood_prone=yes: warn",
        "when ladder=yes: warn", "when safety_rope=yes: warn", "when assisted_trail=yes: warn",
        "when trail_visibility=horrible|no: warn", "when trail_visibility=?: warn",
        "when smoothness=impassable: warn",
    ])

    /// Surfaces for walkers that the app's formula does not name.
    static let surfacesOnFoot = appHiking.surfaces.merging([
        "paving_stones": 1.0, "concrete:plates": 1.0, "concrete:lanes": 1.0, "chipseal": 1.0, "bricks": 1.0,
        "brick": 1.0, "tartan": 1.0, "rubber": 1.0, "acrylic": 1.0, "plastic": 1.0, "metal": 1.0,
        "carpet": 1.0, "artificial_turf": 1.0, "metal_grid": 1.1, "sett": 1.05, "cobblestone:flattened": 1.05,
        "cobblestone": 1.1, "grass_paver": 1.1, "unhewn_cobblestone": 1.2, "woodchips": 1.2, "unpaved": 1.3,
        "clay": 1.3, "stone": 1.3,
    ]) { own, _ in own }

    /// Ways that are paved unless they say otherwise, for walkers.
    private static let paved = Dictionary(
        uniqueKeysWithValues: [
            "residential", "living_street", "unclassified", "service", "road", "pedestrian", "footway",
            "corridor",
            "platform", "cycleway", "tertiary", "tertiary_link", "secondary", "secondary_link", "primary",
            "primary_link", "trunk", "trunk_link",
        ].map { ($0, 1.0) })

    /// Rules shared by all profiles on foot: large roads cost more the less room there is to walk.
    private static let roadRules = CostRule.all([
        "when highway=trunk|trunk_link: ×6",
        "when highway=primary|primary_link and sidewalk!=both|left|right|yes: ×4",
        "when highway=primary|primary_link and sidewalk=both|left|right|yes: ×1.5",
        "when highway=secondary|secondary_link and sidewalk!=both|left|right|yes: ×3",
        "when highway=secondary|secondary_link and sidewalk=both|left|right|yes: ×1.4",
        "when highway=tertiary|tertiary_link and sidewalk!=both|left|right|yes: ×2",
        "when highway=tertiary|tertiary_link and sidewalk=both|left|right|yes: ×1.2",
        "when highway=unclassified: ×1.2", "when highway=service|road: ×1.1",
    ])

    /// Rules of ways off the road.
    private static let pathRules = CostRule.all([
        "when trail_visibility=intermediate: ×1.1", "when trail_visibility=bad: ×1.5",
        "when trail_visibility=horrible|no: ×2.5", "when smoothness=very_horrible|impassable: ×1.4",
        "when tracktype=grade1: ×1.05", "when tracktype=grade5: ×1.2",
        "when via_ferrata_scale=*: forbidden", "when cai_scale=EEA: forbidden", "when informal=yes: ×1.2",
    ])

    /// Walking for pleasure: avoids roads, follows marked trails, up to T3.
    package static let hiking: CostProfile = {
        var profile = appHiking
        profile.name = "hiking"
        profile.surfaces = surfacesOnFoot
        profile.missingSurfaces = paved
        profile.rules =
            roadRules + pathRules
            + CostRule.all(["when trail=*: ×0.75", "when winter_service=no: warn"]) + conditionRules
        profile.sacLimit = .demandingMountainHiking
        profile.sacWarning = .mountainHiking
        return profile
    }()

    /// Walking as transport: roads with little traffic are as good as paths, T2 at most.
    package static let walking: CostProfile = {
        var profile = appHiking
        profile.name = "walking"
        profile.surfaces = surfacesOnFoot
        profile.missingSurfaces = paved
        profile.rules =
            CostRule.all([
                "when highway=trunk|trunk_link: ×4",
                "when highway=primary|primary_link and sidewalk!=both|left|right|yes: ×2.5",
                "when highway=secondary|secondary_link and sidewalk!=both|left|right|yes: ×1.8",
                "when highway=tertiary|tertiary_link and sidewalk!=both|left|right|yes: ×1.3",
                "when trail_visibility=bad|horrible|no: ×2", "when via_ferrata_scale=*: forbidden",
                "when cai_scale=EEA: forbidden",
            ]) + conditionRules
        profile.sacLimit = .mountainHiking
        profile.sacWarning = .mountainHiking
        return profile
    }()

    /// Running on trails: faster, steep ground costs more, up to T3.
    package static let trailRunning: CostProfile = {
        var profile = hiking
        profile.name = "trail-running"
        profile.speed = 2.5
        profile.gain = 9
        profile.rules += CostRule.all([
            "when highway=steps: ×1.3", "when surface=asphalt|paved|concrete: ×1.3",
        ])
        return profile
    }()

    /// Wheelchairs: no steps, no grades of the SAC scale, firm ground.
    package static let wheelchair: CostProfile = {
        var profile = appHiking
        profile.name = "wheelchair"
        profile.surfaces = surfacesOnFoot
        profile.missingSurfaces = paved
        profile.speed = 1.1
        profile.gain = 15
        profile.loss = 10
        profile.rules =
            roadRules
            + CostRule.all([
                // Some have a ramp beside them.
                "when highway=steps and ramp:wheelchair!=yes and wheelchair!=yes|designated: forbidden",
                "when highway=steps: +60s, warn", "when wheelchair:conditional=*: warn",
                "when kerb:height=?: +30s, warn",
                "when kerb=raised|regular and wheelchair!=yes|designated: forbidden",
                "when kerb:height>0.03 and wheelchair!=yes|designated: forbidden",
                // The map contradicts itself: a ramp beside the kerb, or a mistake.
                "when kerb=raised|regular and wheelchair=yes|designated: +60s, warn",
                "when kerb:height>0.03 and wheelchair=yes|designated: +60s, warn",
                "when kerb=* and kerb!=raised|regular|flush|lowered|no: +30s, warn",
                "when barrier=step: forbidden",
                // ISO 21542: 1 in 12 at most; a door is 0.8 m wide or more.
                "when incline>8.4: forbidden", "when incline>6: ×1.5, warn", "when incline=?: ×1.5, warn",
                "when width<0.8: forbidden", "when width=?: ×1.2, warn",
                "when maxwidth<0.8: forbidden", "when est_width<0.8 and width!=*: ×1.5, warn",
                "when incline:across>5: ×1.5, warn",
                "when barrier=kerb and kerb!=* and kerb:height!=*: +30s, warn",
                "when maxwidth:physical<0.8: forbidden", "when maxwidth:physical=?: ×1.2, warn",
                "when wheelchair=no: forbidden", "when wheelchair=limited: ×1.5, warn",
                "when sac_scale=*: forbidden",
                "when surface=grass|sand|mud|rock|pebblestone|stone|woodchips|stepping_stones: forbidden",
                "when surface=unhewn_cobblestone: forbidden",
                "when surface=ground|dirt|earth|gravel|unpaved|clay|grass_paver: ×2, warn",
                "when surface=cobblestone|sett: ×1.5, warn",
                "when door=revolving and wheelchair!=yes|designated: forbidden",
                "when surface=snow|ice|mulch|shells: ×2, warn",
                "when mtb:scale=*: ×2, warn", "when mtb:scale=2-|2|2+|3-|3|3+: forbidden",
                "when mtb:scale=4-|4|4+|5-|5|5+|6-|6|6+: forbidden",
                "when step_count>0: forbidden", "when step_count=?: warn",
                // Narrow, or held open by hand.
                "when barrier=chain|rope|hampshire_gate|bump_gate|cattle_grid|cycle_barrier: +60s, warn",
                "when barrier=motorcycle_barrier|kent_carriage_gap|chicane|block|spikes: +30s, warn",
                "when surface=?: ×2, warn",
                "when smoothness=bad: ×2, warn", "when smoothness=?: ×1.5, warn",
                "when wheelchair=?: ×1.5, warn",
                "when smoothness=very_bad|horrible|very_horrible|impassable: forbidden",
                "when tracktype=grade3|grade4|grade5: forbidden",
                "when highway=path|track|bridleway and surface!=*: ×2, warn", "when ladder=yes: forbidden",
                barriersOfWheels,
            ]) + conditionRules
        return profile
    }()

    /// Plain distance on foot, as map matching measures it.
    package static let distance: CostProfile = {
        var profile = CostProfile(
            name: "distance", mode: .hiking, speed: 1, surfaces: [:], otherSurface: 1, sacScales: [:],
            highways: [:], closedHighways: [], gain: 0, loss: 0, descents: [], steepestDescent: 0,
            sacLimit: nil)
        profile.isBareDistance = true
        return profile
    }()

    /// The default profile of a mode.
    package static func standard(_ mode: TravelMode) -> CostProfile {
        switch mode {
        case .hiking: .hiking
        case .cycling: .cycling
        }
    }
}
