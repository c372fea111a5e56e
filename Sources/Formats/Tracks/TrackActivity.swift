/// Activities by the words of other programs, as FIT names its sports.
public enum TrackActivity {
    /// The word in the creators of files whose activities are numbers.
    static let numbering = "strava"
    /// Strava's numbers; only those that its files are known to have.
    static let numbers = [1: "cycling", 4: "hiking", 9: "running", 10: "walking"]

    /// The activity of a word in a table of an archive, which follows the language of its owner; another word stays as it is, in
    /// small letters.
    public static func named(_ word: String) -> String {
        let plain = word.lowercased().replacing("_", with: " ")
        return words[plain]
            ?? (known.contains(plain.replacing(" ", with: "_")) ? plain.replacing(" ", with: "_") : plain)
    }

    /// The activity of a workout of Apple's: `HKWorkoutActivityTypeHiking`.
    public static func workout(_ type: String) -> String {
        let name = type.hasPrefix(workoutPrefix) ? String(type.dropFirst(workoutPrefix.count)) : type
        let words = name.reduce(into: "") { text, letter in
            if letter.isUppercase, !text.isEmpty { text += " " }
            text += letter.lowercased()
        }
        return named(words)
    }

    private static let workoutPrefix = "HKWorkoutActivityType"
    private static let known = Set(FITProfile.sports)

    private static let words: [String: String] = {
        let list: [(String, [String])] = [
            (
                "hiking",
                [
                    "hike", "wanderung", "wandern", "randonnée", "excursión", "senderismo", "escursione",
                    "escursionismo",
                    "trilha", "caminhada na natureza",
                ]
            ),
            (
                "walking",
                [
                    "walk", "spaziergang", "gehen", "marche", "caminata", "camminata", "passeggiata",
                    "wandeling",
                    "wandelen", "caminhada", "treadmill walking", "casual walking", "speed walking",
                ]
            ),
            (
                "running",
                [
                    "run", "trail run", "virtual run", "lauf", "trail-lauf", "traillauf", "virtueller lauf",
                    "course",
                    "course à pied", "carrera", "corsa", "hardlopen", "hardloopsessie", "corrida",
                    "trail running",
                    "treadmill running", "track running", "street running", "virtual running",
                ]
            ),
            (
                "cycling",
                [
                    "ride", "virtual ride", "gravel ride", "mountain bike ride", "radfahrt",
                    "virtuelle radfahrt",
                    "mountainbike-fahrt", "gravel-fahrt", "radfahren", "vélo", "sortie à vélo",
                    "vuelta ciclista", "ciclismo",
                    "giro", "fietsrit", "fietsen", "rit", "pedalada", "road biking", "mountain biking",
                    "gravel cycling",
                    "indoor cycling", "virtual ride",
                ]
            ),
            ("e_biking", ["e-bike ride", "e-bike-fahrt", "e bike fitness", "e bike mountain"]),
            (
                "cross_country_skiing",
                [
                    "nordic ski", "backcountry ski", "skilanglauf", "ski de fond", "sci di fondo",
                    "cross country skiing ws", "backcountry skiing", "cross country skiing",
                ]
            ),
            (
                "alpine_skiing",
                [
                    "alpine ski", "ski alpin", "resort skiing", "downhill skiing",
                    "resort skiing snowboarding ws",
                ]
            ),
            ("snowshoeing", ["snowshoe", "schneeschuhwandern", "snow shoe ws"]),
            (
                "swimming",
                [
                    "swim", "schwimmen", "natation", "natación", "nuoto", "zwemmen", "natação",
                    "lap swimming",
                    "open water swimming",
                ]
            ),
            ("paddling", ["canoe", "canoeing", "paddle sports"]), ("kayaking", ["kayak", "kayaking v2"]),
            ("rowing", ["row", "rudern", "indoor rowing", "rowing v2"]), ("ice_skating", ["ice skate"]),
            ("inline_skating", ["inline skate"]), ("rock_climbing", ["rock climb", "climbing"]),
            ("sailing", ["sail"]),
            ("stand_up_paddleboarding", ["stand up paddling", "stand up paddleboarding v2"]),
        ]
        return Dictionary(
            list.flatMap { activity, words in words.map { ($0, activity) } },
            uniquingKeysWith: { first, _ in first })
    }()
}
