/// An element for a measurement in `extensions`: of Garmin's TrackPointExtension, of its PowerExtension, or
/// of our own namespace if those have none or cannot hold the value.
struct GPXExtension {
    let name: String
    let prefix: String
    let kind: PointSensors.Kind
    /// The values that the element can hold.
    let range: ClosedRange<Double>
    /// Decimals written.
    let decimals: Int

    /// Whether it can hold the value exactly.
    func holds(_ sensors: PointSensors) -> Bool {
        guard let value = sensors[kind], range.contains(value) else { return false }
        return decimals > 0 || value == value.rounded()
    }

    private static let any = -1e9...1e9

    /// The TrackPointExtension in the order of its schema, version 2; `wtemp` and `depth` come before `hr`.
    static let garmin = [
        GPXExtension(name: "atemp", prefix: "gpxtpx", kind: .temperature, range: any, decimals: 9),
        GPXExtension(name: "hr", prefix: "gpxtpx", kind: .heartRate, range: 1...255, decimals: 0),
        GPXExtension(name: "cad", prefix: "gpxtpx", kind: .cadence, range: 0...254, decimals: 0),
        GPXExtension(name: "speed", prefix: "gpxtpx", kind: .speed, range: 0...1e9, decimals: 9),
        GPXExtension(name: "course", prefix: "gpxtpx", kind: .course, range: 0...360, decimals: 9),
    ]
    private static let power = GPXExtension(
        name: "PowerInWatts", prefix: "pwr", kind: .power, range: 0...65_534, decimals: 0)
    private static let own = PointSensors.Kind.allCases.map {
        GPXExtension(name: $0.rawValue, prefix: "rutter", kind: $0, range: any, decimals: 9)
    }

    /// The elements after the TrackPointExtension, for other measurements.
    static func further(_ sensors: PointSensors) -> [GPXExtension] {
        var found: [GPXExtension] = []
        if power.holds(sensors) { found.append(power) }
        for entry in own where sensors[entry.kind] != nil {
            let isWritten =
                garmin.contains { $0.kind == entry.kind && $0.holds(sensors) }
                || (entry.kind == .power && power.holds(sensors))
            if !isWritten { found.append(entry) }
        }
        return found
    }

    /// The element of Garmin's route extension with a point of the way behind a point of a route.
    static let shapingPoint = "rpt"

    /// The measurements by the local names used by recorders, in small letters and without signs between words.
    private static let kinds: [String: PointSensors.Kind] = [
        "hr": .heartRate, "heartrate": .heartRate, "hrbpm": .heartRate, "bpm": .heartRate,
        "cad": .cadence, "cadence": .cadence, "runcadence": .cadence,
        "atemp": .temperature, "temp": .temperature, "temperature": .temperature,
        "speed": .speed, "course": .course, "power": .power, "powerinwatts": .power, "watts": .power,
        "bpower": .power, "bikepower": .power, "pulse": .heartRate, "tempa": .temperature,
        "airtemp": .temperature, "airtemperature": .temperature, "cyclingcadence": .cadence,
        "runningcadence": .cadence,
        "accuracy": .accuracy, "hacc": .accuracy, "horizontalaccuracy": .accuracy,
        "accuracyhorizontal": .accuracy, "distance": .distance,
    ]

    /// The measurement of an element by its local name, also of one with a prefix that the file does not declare.
    static func sensor(_ name: String) -> PointSensors.Kind? {
        if let known = kinds[name] { return known }
        let local = name.split(separator: ":").last ?? ""
        return kinds[local.lowercased().filter { $0 != "_" && $0 != "-" }]
    }

    /// Whether a number is a plausible measurement; others are kept as written.
    static func isPlausible(_ number: Double, _ kind: PointSensors.Kind) -> Bool { any.contains(number) }

    /// The namespaces to declare for a document.
    static func prefixes(of document: GPXDocument) -> [(name: String, space: String)] {
        var garmin = false
        var motion = false
        var power = false
        var own = false
        func look(_ point: GPXPoint) {
            if point.details.contains(where: \.kind.isExtension) { garmin = true }
            guard point.sensors != PointSensors() else { return }
            for entry in Self.garmin where entry.holds(point.sensors) {
                garmin = true
                if entry.kind == .speed || entry.kind == .course { motion = true }
            }
            for entry in further(point.sensors) {
                if entry.prefix == "pwr" { power = true } else { own = true }
            }
        }
        for point in document.waypoints { look(point) }
        for line in document.tracks + document.routes {
            for segment in line.segments { for point in segment { look(point) } }
        }
        var found: [(String, String)] = []
        let version = motion ? "v2" : "v1"
        if garmin {
            found.append(("gpxtpx", "http://www.garmin.com/xmlschemas/TrackPointExtension/\(version)"))
        }
        if power { found.append(("pwr", "http://www.garmin.com/xmlschemas/PowerExtension/v1")) }
        if own { found.append(("rutter", "urn:rutter:gpx")) }
        return found
    }
}
