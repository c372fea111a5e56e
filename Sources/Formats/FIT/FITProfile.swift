import CivilTime

/// Numbers of the FIT profile (FIT SDK 21, Profile.xlsx): messages, sports, base types.
enum FITProfile {
    /// Seconds, and the share of the whole, by which a device's timer and its pauses must differ to contradict each other.
    static let leastContradiction = 60.0
    static let contradiction = 0.01
    /// Seconds by which a clock must be set back to be wrong before.
    static let leastClockStep = 60.0
    /// 1989-12-31T00:00:00Z in seconds since 1970.
    static let epoch: Int64 = 631_065_600
    /// Smaller timestamps count seconds since the device was switched on.
    static let firstTimestamp: Int64 = 0x1000_0000
    /// The first time that can be written: 1998-07-04.
    static let earliest = moment(firstTimestamp)
    /// The field of the time of a message.
    static let timestampField: UInt8 = 253
    /// Seconds between two messages of an activity at most, where the bytes of the file were changed.
    static let longestStep: Int64 = 7 * 86_400
    /// Messages that must follow each other behind a fault.
    static let leastSound = 4
    /// Faults of a file behind which reading goes on.
    static let mostGaps = 100
    /// Of these, those that are said with their bytes.
    static let saidGaps = 5
    /// The type of a file that is a course.
    static let courseFile: Int64 = 6
    /// What files are by their type, where it is another than activity and course.
    static let fileTypes: [Int64: String] = [
        1: "device", 2: "settings", 3: "sport settings", 5: "workout", 7: "schedules", 8: "places",
        9: "weight", 10: "totals", 11: "goals", 14: "blood pressure", 15: "monitoring",
        20: "summaries of activities", 28: "daily monitoring", 32: "monitoring", 34: "segment",
        35: "list of segments",
    ]
    /// Fields of records that are not kept, by number.
    static let recordFields: [Int: String] = [
        8: "compressed speed and distance", 9: "grade", 10: "resistance", 11: "time from course",
        12: "cycle length", 17: "speed of one second", 18: "cycles", 19: "total cycles",
        28: "compressed accumulated power", 29: "accumulated power", 30: "left-right balance",
        32: "vertical speed", 33: "calories", 39: "vertical oscillation", 40: "stance time in percent",
        41: "stance time", 42: "activity type", 43: "left torque effectiveness",
        44: "right torque effectiveness", 45: "left pedal smoothness", 46: "right pedal smoothness",
        47: "combined pedal smoothness", 49: "stroke type", 50: "zone", 51: "ball speed",
        52: "cadence in 1/256", 62: "device index", 67: "left platform offset", 68: "right platform offset",
        69: "left power phase", 70: "left power phase at peak", 71: "right power phase",
        72: "right power phase at peak", 81: "battery", 82: "motor power", 83: "vertical ratio",
        84: "stance time balance", 85: "step length", 87: "cycle length in 1/256",
        91: "air pressure", 92: "depth", 99: "breaths", 108: "breaths in 1/100", 114: "grit", 115: "flow",
        116: "stress", 117: "range of the electric bike", 118: "battery of the electric bike",
        119: "assistance of the electric bike", 120: "assistance in percent", 139: "core temperature",
        143: "body battery",
    ]
    /// Types of events that start the timer, and that stop it.
    static let timerStart: Int64 = 0
    static let timerStops: Set<Int64> = [1, 4, 8, 9]
    /// Ticks of a strap's clock in a second, and the numbers after which the short form of its count begins anew.
    static let strapTicks = 1024.0
    static let strapTurn: Int64 = 0x1000
    /// Seconds for which a heart rate of a strap's memory holds at a record.
    static let strapHold = 5.0
    /// The share of the way of a pool's lengths that the device may count beside them.
    static let uncountedShare = 0.1
    /// Seconds by which the start of a lap must lie before all records to be none.
    static let leastLapLead = 60.0
    /// The type of a length in which somebody swam.
    static let activeLength: Int64 = 1
    /// Semicircles of half a turn.
    static let semicircles = 2_147_483_648.0

    static func degrees(_ semicircles: Int64) -> Double { Double(semicircles) * (180 / Self.semicircles) }

    static func moment(_ timestamp: Int64) -> Timestamp {
        Timestamp(milliseconds: (timestamp + epoch) * 1000)
    }

    /// Seconds by which the rounded duration of a session may miss the start of the next one.
    static let boundary = 1.0
    /// The sports by their numbers.
    static let sports = [
        "generic", "running", "cycling", "transition", "fitness_equipment", "swimming", "basketball",
        "soccer",
        "tennis", "american_football", "training", "walking", "cross_country_skiing", "alpine_skiing",
        "snowboarding", "rowing", "mountaineering", "hiking", "multisport", "paddling", "flying", "e_biking",
        "motorcycling", "boating", "driving", "golf", "hang_gliding", "horseback_riding", "hunting",
        "fishing",
        "inline_skating", "rock_climbing", "sailing", "ice_skating", "sky_diving", "snowshoeing",
        "snowmobiling", "stand_up_paddleboarding", "surfing", "wakeboarding", "water_skiing", "kayaking",
        "rafting", "windsurfing", "kitesurfing",
    ]

    /// Manufacturers whose name is shown.
    static let manufacturers: [Int64: String] = [
        1: "garmin", 23: "suunto", 32: "wahoo_fitness", 123: "polar_electro", 265: "strava",
        289: "hammerhead",
        294: "coros",
    ]

    /// What ended a lap, by number.
    static let lapTriggers = [
        "manual", "time", "distance", "location", "location", "location", "location", "session_end",
        "fitness_equipment",
    ]

    /// Kinds of course point, by number.
    static let coursePoints = [
        "generic", "summit", "valley", "water", "food", "danger", "left", "right", "straight", "first_aid",
        "fourth_category", "third_category", "second_category", "first_category", "hors_category", "sprint",
        "left_fork", "right_fork", "middle_fork", "slight_left", "sharp_left", "slight_right", "sharp_right",
        "u_turn", "segment_start", "segment_end",
    ]

    /// Messages that are read.
    enum Message {
        static let fileID: UInt16 = 0
        static let session: UInt16 = 18
        static let lap: UInt16 = 19
        static let record: UInt16 = 20
        static let event: UInt16 = 21
        /// A place that was saved on the device.
        static let location: UInt16 = 29
        static let course: UInt16 = 31
        static let coursePoint: UInt16 = 32
        static let activity: UInt16 = 34
        /// A length of a pool.
        static let length: UInt16 = 101
        /// Heart rates that a strap kept while it had no connection.
        static let heartRates: UInt16 = 132
        static let fieldDescription: UInt16 = 206
        static let developerData: UInt16 = 207
        /// Repeats data of other messages.
        static let derived: Set<UInt16> = [developerData]
    }

    /// Fields without loss: their values are kept, or follow from records and kept fields.
    enum LosslessFields {
        /// Timestamp, index, event, start and end, times, distance, calories, speeds, heart rates, cadence, intensity,
        /// trigger, sport.
        static let lap: Set<UInt8> = [
            253, 254, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 15, 16, 17, 23, 24, 25, 110, 111,
        ]
        /// Timestamp, index, event, start, sport, times, distance, calories, speeds, heart rates, climbs, laps, trigger,
        /// bounds.
        static let session: Set<UInt8> = [
            253, 254, 0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 14, 15, 16, 17, 22, 23, 25, 26, 28, 29, 30, 31, 32, 38,
            39, 44, 124,
            125,
        ]
        /// Timestamp, time, sessions, type, event.
        static let activity: Set<UInt8> = [253, 0, 1, 2, 3, 4]
    }
}

/// The checksum of FIT files: CRC-16 with the polynomial 0xA001 (FIT SDK, "CRC").
enum FITChecksum {
    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
        table.withUnsafeBufferPointer { table in
            var crc: UInt16 = 0
            for byte in bytes { crc = crc >> 8 ^ table[Int((crc ^ UInt16(byte)) & 0xFF)] }
            return crc
        }
    }
}
