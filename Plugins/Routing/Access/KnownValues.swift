/// Which values of the tags that matter to routes are understood. What is not is never taken for a value that is.
///
/// Source: OpenStreetMap wiki, the page of each key.
enum KnownValues {
    /// How the values of a key are known.
    private enum Vocabulary {
        case words(Set<String>)
        /// Several values may be listed with semicolons.
        case list(Set<String>)
        case test(@Sendable (String) -> Bool)
    }

    private static let flags: Set<String> = ["yes", "no"]
    private static let seasons: Set<String> = [
        "yes", "no", "spring", "summer", "autumn", "winter", "wet_season", "dry_season",
    ]
    /// Surfaces; those without a factor in a profile count as others.
    private static let surfaces = Set(CostProfile.surfacesOnFoot.keys).union([
        "snow", "ice", "salt", "rock_bed", "stepping_stones", "mulch", "shells", "bare_rock",
    ])
    private static let mtbScales = Set((0...6).flatMap { ["\($0)", "\($0)+", "\($0)-"] })
    private static let access = Vocabulary.test { AccessRules.knows($0) }
    private static let length = Vocabulary.test { TagMeasures.value($0, of: "width") != nil }
    private static let date = Vocabulary.test { MapDate($0) != nil }
    private static let oneway = Vocabulary.words([
        "yes", "no", "-1", "1", "true", "false", "0", "reverse", "reversible", "alternating",
    ])

    private static let vocabularies: [String: Vocabulary] = [
        "access": access, "foot": access, "bicycle": access, "vehicle": access, "access:foot": access,
        "access:bicycle": access,
        "barrier": .test { Hindrances.knows(barrier: $0) },
        "sac_scale": .test { !SACScale.isDoubtful($0) },
        "surface": .list(surfaces),
        "smoothness": .list([
            "excellent", "good", "intermediate", "bad", "very_bad", "horrible", "very_horrible", "impassable",
        ]),
        "tracktype": .list(["grade1", "grade2", "grade3", "grade4", "grade5"]),
        "trail_visibility": .list(["excellent", "good", "intermediate", "bad", "horrible", "no"]),
        "ford": .list(["yes", "no", "stepping_stones", "boat", "intermittent", "seasonal", "tidal"]),
        "incline": .test { ["up", "down"].contains($0) || TagMeasures.value($0, of: "incline") != nil },
        "incline:across": .test { TagMeasures.value($0, of: "incline:across") != nil }, "est_width": length,
        "width": length, "maxwidth:physical": length,
        "kerb:height": .test { TagMeasures.value($0, of: "kerb:height") != nil }, "depth": length,
        "kerb": .words(["raised", "regular", "rolled", "lowered", "flush", "no", "yes"]),
        "wheelchair": .words(["yes", "no", "limited", "designated"]),
        "locked": .words(flags), "impassable": .words(flags), "passable": .words(flags),
        "tidal": .words(flags), "ice_road": .words(flags), "winter_road": .words(flags),
        "seasonal": .list(seasons), "winter_service": .words(flags),
        "conveying": .words(["yes", "no", "forward", "backward", "reversible"]),
        "oneway": oneway, "oneway:foot": oneway, "oneway:bicycle": oneway,
        "end_date": date, "opening_date": date,
        "opening_hours": .test { OpeningHours.isUnderstood($0) },
        "duration": .test { TagMeasures.seconds($0) != nil }, "mtb:scale": .words(mtbScales),
        "via_ferrata_scale": .words(["0", "1", "2", "3", "4", "5", "6"]),
    ]

    /// The keys whose values are checked, in order.
    static let keys: [String] = vocabularies.keys.sorted()

    /// Whether a value of a key is understood; true for keys whose values are not checked.
    static func isUnderstood(_ value: String, of key: String) -> Bool {
        switch vocabularies[key] {
        case nil: true
        case .words(let known): known.contains(value)
        case .list(let known):
            value.split(separator: ";").allSatisfy { known.contains($0.trimmingPrefix(" ").description) }
        case .test(let isKnown): isKnown(value)
        }
    }
}
