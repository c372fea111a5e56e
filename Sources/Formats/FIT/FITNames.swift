/// Names of what is not kept of a FIT file, by number (FIT SDK 21, Profile.xlsx), so that a notice can be read.
enum FITNames {
    /// A field of a lap, a session or the activity.
    static func field(_ number: Int, of message: String) -> String {
        let known = message == "lap" ? lapFields : message == "session" ? sessionFields : [:]
        return known[number] ?? "field \(number)"
    }

    /// An event.
    static func event(_ number: Int) -> String { events[number] ?? "event \(number)" }

    /// A kind of message, with its number.
    static func message(_ number: Int) -> String {
        messages[number].map { "\($0) \(number)" } ?? "\(number)"
    }

    private static let lapFields: [Int: String] = [
        10: "cycles", 12: "calories of fat", 18: "maximum cadence", 19: "mean power", 20: "maximum power",
        21: "ascent", 22: "descent", 26: "event group", 27: "north-east corner", 32: "lengths",
        33: "normalized power", 34: "left-right balance", 35: "first length", 37: "metres per stroke",
        38: "swimming stroke", 39: "kind of sport", 40: "lengths swum", 41: "work", 42: "mean elevation",
        43: "highest elevation", 44: "accuracy", 45: "mean grade", 50: "mean temperature",
        51: "maximum temperature", 52: "time in motion", 57: "times by heart rate", 58: "times by speed",
        59: "times by cadence", 60: "times by power", 61: "repetition", 62: "lowest elevation",
        63: "least heart rate", 71: "step of the workout", 77: "vertical oscillation",
        78: "stance time in percent", 79: "stance time", 80: "fraction of the cadence",
        81: "fraction of the maximum cadence", 82: "fraction of the cycles", 112: "mean elevation",
        113: "lowest elevation", 114: "highest elevation",
    ]
    private static let sessionFields: [Int: String] = [
        6: "kind of sport", 10: "cycles", 13: "calories of fat", 18: "mean cadence", 19: "maximum cadence",
        20: "mean power", 21: "maximum power", 24: "training effect", 27: "event group", 33: "lengths",
        34: "normalized power", 35: "training stress", 36: "intensity", 37: "left-right balance",
        41: "strokes", 42: "metres per stroke", 43: "swimming stroke", 44: "length of the pool",
        45: "threshold power", 46: "unit of the pool", 47: "lengths swum", 48: "work", 49: "mean elevation",
        50: "highest elevation", 51: "accuracy", 52: "mean grade", 57: "mean temperature",
        58: "maximum temperature", 59: "time in motion", 64: "least heart rate", 65: "times by heart rate",
        66: "times by speed", 67: "times by cadence", 68: "times by power", 69: "mean time of a lap",
        70: "best lap", 71: "lowest elevation", 89: "vertical oscillation", 90: "stance time in percent",
        91: "stance time", 92: "fraction of the cadence", 93: "fraction of the maximum cadence",
        94: "fraction of the cycles", 110: "name of the sport", 111: "number of the sport",
        126: "mean elevation", 127: "lowest elevation", 128: "highest elevation",
        137: "anaerobic training effect", 139: "mean rate of climb", 168: "training load",
    ]
    private static let events: [Int: String] = [
        3: "workout", 4: "step of the workout", 5: "power off", 6: "power on", 7: "off course", 8: "session",
        9: "lap", 10: "course point", 11: "battery", 12: "virtual partner", 13: "high heart rate",
        14: "low heart rate", 15: "high speed", 16: "low speed", 17: "high cadence", 18: "low cadence",
        19: "high power", 20: "low power", 21: "recovering heart rate", 22: "low battery",
        23: "alert by time", 24: "alert by distance", 25: "alert by calories", 26: "activity",
        27: "fitness equipment", 28: "length", 32: "mark of the user", 33: "sport point", 36: "calibration",
        42: "front gear", 43: "rear gear", 44: "position of the rider", 45: "high elevation",
        46: "low elevation", 47: "lost connection",
    ]
    private static let messages: [Int: String] = [
        1: "capabilities", 2: "settings of the device", 3: "profile of the user", 4: "profile of a sensor",
        5: "profile of a sensor", 6: "profile of the bicycle", 7: "zones", 8: "zone of heart rate",
        9: "zone of power", 10: "zone of energy", 12: "sport", 15: "goal", 23: "devices", 26: "workout",
        27: "step of the workout", 49: "writer of the file", 72: "training", 78: "heartbeats",
        127: "connections", 142: "part of a segment", 147: "sensor",
        160: "receiver", 161: "camera", 164: "gyroscope", 165: "accelerometer", 177: "sentence of NMEA",
        208: "compass", 209: "barometer", 216: "times by zone", 225: "set", 227: "stress",
        258: "settings of the dive", 259: "gas of the dive", 264: "exercise", 268: "dive", 312: "split",
        313: "splits",
    ]
}
