import Foundation

/// What the columns of a table of points mean.
struct PointColumns {
    /// A meaning of a column.
    enum Meaning: Hashable {
        case latitude, longitude, position, altitude, time, date, name, note
        /// Metres of UTM with its zone, and angles named as the axes of a map.
        case easting, northing, zone, x, y
        /// The letter of the hemisphere in a column of its own.
        case northSouth, eastWest
        /// Whether there was a fix.
        case fix
        /// Whose point it is, where a table has several, and the number of the segment.
        case object, segment
        /// What a row is: a position, or the start or end of a segment.
        case mark
        case sensor(PointSensors.Kind)
    }

    let separator: UInt8
    /// The places of the columns that are read.
    private(set) var places: [Meaning: Int] = [:]
    /// What the numbers of a column are multiplied by.
    private(set) var factors: [Meaning: Double] = [:]
    /// The degrees of the unit of an angle that the name of its column states.
    private(set) var degrees: [Meaning: Double] = [:]
    /// The names of the columns that are not read.
    private(set) var others: [String] = []
    /// The name of the column of objects.
    private(set) var objectName: String?

    /// The meanings by the name of the column, without its unit.
    private static let names: [String: Meaning] = [
        "lat": .latitude, "latitude": .latitude, "latitudens": .latitude, "breitengrad": .latitude,
        "geogrbreite": .latitude, "breite": .latitude, "gpsbreite": .latitude, "latitudine": .latitude,
        "latitud": .latitude,
        "breedtegraad": .latitude,
        "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude,
        "longitudeew": .longitude, "längengrad": .longitude, "laengengrad": .longitude,
        "geogrlänge": .longitude, "länge": .longitude, "laenge": .longitude, "gpslänge": .longitude,
        "longitudine": .longitude, "longitud": .longitude,
        "lengtegraad": .longitude,
        "position": .position, "coordinates": .position, "coordinate": .position, "latlon": .position,
        "latlng": .position, "latlong": .position, "location": .position, "koordinaten": .position,
        "coordonnées": .position, "coordinategps": .position, "coordenadas": .position, "at": .position,
        "wkt": .position,
        "ele": .altitude, "elevation": .altitude, "alt": .altitude, "altitude": .altitude,
        "gpsaltitude": .altitude,
        "height": .altitude, "höhe": .altitude, "hoehe": .altitude, "altitudine": .altitude,
        "quota": .altitude, "altitud": .altitude, "élévation": .altitude, "elevación": .altitude,
        "hoogte": .altitude,
        "time": .time, "timestamp": .time, "datetime": .time, "utc": .time, "utctime": .time,
        "gpstime": .time, "zeit": .time, "uhrzeit": .time, "zeitstempel": .time, "heure": .time,
        "horodatage": .time, "hora": .time, "ora": .time, "tijd": .time,
        "timeutc": .time, "tst": .time, "dateandtime": .time, "recordedat": .time, "isotime": .time,
        "fixtime": .time, "devicetime": .time, "gpsdatetime": .time, "datetimeutc": .time,
        "utcdatetime": .time,
        "gpstimestamp": .time, "timestamputc": .time,
        "date": .date, "utcdate": .date, "dateutc": .date, "fecha": .date,
        "name": .name, "label": .name, "title": .name, "nom": .name, "nome": .name, "nombre": .name,
        "bezeichnung": .name, "naam": .name,
        "comment": .note, "description": .note, "note": .note, "notes": .note, "bemerkung": .note,
        "beschreibung": .note, "commentaire": .note,
        "hr": .sensor(.heartRate), "heartrate": .sensor(.heartRate), "bpm": .sensor(.heartRate),
        "cadence": .sensor(.cadence), "cad": .sensor(.cadence), "power": .sensor(.power),
        "temperature": .sensor(.temperature), "temp": .sensor(.temperature), "speed": .sensor(.speed),
        "velocity": .sensor(.speed), "geschwindigkeit": .sensor(.speed), "vitesse": .sensor(.speed),
        "herzfrequenz": .sensor(.heartRate), "puls": .sensor(.heartRate), "temperatur": .sensor(.temperature),
        "température": .sensor(.temperature), "genauigkeit": .sensor(.accuracy),
        "course": .sensor(.course), "bearing": .sensor(.course),
        "heading": .sensor(.course), "direction": .sensor(.course), "accuracy": .sensor(.accuracy),
        "horizontalaccuracy": .sensor(.accuracy), "hacc": .sensor(.accuracy),
        "easting": .easting, "utmeasting": .easting, "utme": .easting, "utmx": .easting, "ostwert": .easting,
        "northing": .northing, "utmnorthing": .northing, "utmn": .northing, "utmy": .northing,
        "nordwert": .northing, "zone": .zone, "utmzone": .zone, "utmz": .zone,
        "x": .x, "pointx": .x, "xcoord": .x, "coordx": .x, "y": .y, "pointy": .y, "ycoord": .y, "coordy": .y,
        "ns": .northSouth, "latns": .northSouth, "latdir": .northSouth, "latref": .northSouth,
        "lathemisphere": .northSouth, "latitudehemisphere": .northSouth, "latitudedirection": .northSouth,
        "ew": .eastWest, "lonew": .eastWest, "londir": .eastWest, "lonref": .eastWest,
        "lonhemisphere": .eastWest, "longitudehemisphere": .eastWest, "longitudedirection": .eastWest,
        "valid": .fix, "fix": .fix,
        "locationlat": .latitude, "locationlong": .longitude, "gpslatitude": .latitude,
        "gpslongitude": .longitude, "latitudedeg": .latitude, "longitudedeg": .longitude,
        "id": .object, "trackid": .object, "track": .object, "trackname": .object, "tripid": .object,
        "trip": .object, "deviceid": .object, "device": .object, "userid": .object, "user": .object,
        "tagid": .object, "taglocalidentifier": .object, "individual": .object, "individualid": .object,
        "individuallocalidentifier": .object, "animalid": .object, "animal": .object, "vehicle": .object,
        "vehicleid": .object, "callsign": .object, "mmsi": .object, "imei": .object, "objectid": .object,
        "segment": .segment, "segmentid": .segment, "trackseg": .segment,
        "trackpointtype": .mark, "pointtype": .mark,
    ]
    /// The meaning of a name of a column or key, and the unit behind it; `nil` for one that no point has.
    static func meaning(of name: String) -> (meaning: Meaning, unit: String)? {
        let (name, unit) = parts(name)
        return names[name].map { ($0, unit) }
    }

    /// What columns of angles are named in part: `LatitudeDir` beside `Latitude` has the letter of the hemisphere.
    private static let lettered = [
        "dir", "direction", "ref", "hemisphere", "hemi", "ns", "ew", "nors", "eorw", "letter", "indicator",
    ]
    /// Degrees of the unit of angles that are whole numbers, by the end of the name or the unit behind it.
    private static let fractions: [(ending: String, degrees: Double)] = [
        ("e7", 1e-7), ("1e7deg", 1e-7), ("e7deg", 1e-7), ("deg1e7", 1e-7), ("dege7", 1e-7), ("e6", 1e-6),
        ("1e6deg", 1e-6), ("deg1e6", 1e-6), ("microdegrees", 1e-6), ("microdegree", 1e-6), ("microdeg", 1e-6),
        ("udeg", 1e-6), ("µdeg", 1e-6), ("μdeg", 1e-6),
    ]

    /// The meaning of the letters of a name, with the degrees of its unit for an angle in fractions of them.
    private static func known(_ name: String) -> (meaning: Meaning, degrees: Double)? {
        if let meaning = names[name] { return (meaning, 1) }
        for (ending, degrees) in fractions where name.hasSuffix(ending) {
            let angle = names[String(name.dropLast(ending.count))]
            if let angle, angle == .latitude || angle == .longitude { return (angle, degrees) }
        }
        for ending in lettered where name.hasSuffix(ending) {
            switch names[String(name.dropLast(ending.count))] {
            case .latitude: return (.northSouth, 1)
            case .longitude: return (.eastWest, 1)
            default: continue
            }
        }
        return nil
    }

    /// A column of the date in languages in which the reference system of angles has another name; elsewhere that stands there.
    private static let dates: [String: Meaning] = ["datum": .date, "data": .date]

    /// Words for columns that count degrees to the west or south.
    private static let against: Set = ["w", "west", "°w", "deg w", "s", "south", "°s", "deg s"]

    /// The columns of a line of names; `nil` if it names no latitude and longitude.
    init?(_ line: String) {
        let separators = [",", ";", "\t"].map { (UInt8(ascii: $0), line.components(separatedBy: String($0))) }
        guard let (separator, cells) = separators.first(where: { Self.isHeader($0.1) }) else { return nil }
        self.separator = separator
        let words = Set(cells.map { Self.parts($0).name })
        let isForeign = !words.isDisjoint(with: Self.words)
        let hasAngles = [Meaning.latitude, .longitude].allSatisfy { angle in
            words.contains { Self.known($0)?.meaning == angle }
        }
        for (place, cell) in cells.enumerated() {
            let (name, unit) = Self.parts(cell)
            let known = Self.known(name)
            guard let meaning = known?.meaning ?? (isForeign ? Self.dates[name] : nil),
                places[meaning] == nil,
                !hasAngles || meaning != .position && !Self.planar.contains(meaning)
            else {
                if !cell.isEmpty { others.append(cell.trimmingCharacters(in: Self.quotes)) }
                continue
            }
            if meaning == .latitude || meaning == .longitude {
                let letters = unit.filter { $0.isLetter || $0.isNumber }
                let named = Self.fractions.first { $0.ending == letters }?.degrees
                degrees[meaning] = named ?? known?.degrees ?? 1
            }
            switch meaning {
            case .longitude where Self.against.contains(unit), .latitude where Self.against.contains(unit):
                factors[meaning] = -1
            case .altitude, .sensor(.accuracy):
                guard let factor = unit.isEmpty ? 1 : RepairedNumber.lengths[unit] else {
                    others.append("\(name) in \(unit)")
                    continue
                }
                factors[meaning] = factor
            case .sensor(.speed):
                guard let factor = RepairedNumber.speeds[unit] else {
                    others.append(unit.isEmpty ? "\(name), which names no unit" : "\(name) in \(unit)")
                    continue
                }
                factors[meaning] = factor
            case .object: objectName = name
            default: break
            }
            places[meaning] = place
        }
        if !hasAngles, let x = places[.x], let y = places[.y] {
            (places[.longitude], places[.latitude], isXY) = (x, y, true)
        }
    }

    /// The columns of a line of names above one of units: `ft` below `ele`. `nil` if the second line is none.
    init?(_ names: String, units: String) {
        guard let plain = Self(names), !units.contains(where: \.isNumber) else { return nil }
        let separator = Character(Unicode.Scalar(plain.separator))
        func cells(_ line: String) -> [String] {
            line.split(separator: separator, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: Self.quotes) }
        }
        let (heads, below) = (
            cells(names), cells(units).map { $0.trimmingCharacters(in: .init(charactersIn: "()[] ")) }
        )
        guard heads.count == below.count,
            below.contains(where: {
                RepairedNumber.lengths[$0.lowercased()] ?? RepairedNumber.speeds[$0.lowercased()] != nil
                    && !$0.isEmpty || Self.degreeWords.contains($0.lowercased())
            }),
            let columns = Self(
                zip(heads, below).map { $1.isEmpty || $0.contains("(") ? $0 : "\($0) (\($1))" }
                    .joined(separator: String(separator)))
        else { return nil }
        self = columns
        hasUnits = true
    }

    /// Whether a line of units stands below the names.
    private(set) var hasUnits = false
    /// Words for degrees in a line of units.
    private static let degreeWords: Set = ["deg", "degree", "degrees", "°"]

    /// Columns without names: their meanings in the order of the columns, `nil` for one that is not read.
    init(unnamed meanings: [Meaning?], separator: UInt8, words: String) {
        self.separator = separator
        unnamedWords = words
        for (place, meaning) in meanings.enumerated() {
            guard let meaning else {
                others.append("column \(place + 1)")
                continue
            }
            places[meaning] = place
        }
    }

    /// What is said of columns whose names were not in the file; `nil` if they were.
    private(set) var unnamedWords: String?
    var areUnnamed: Bool { unnamedWords != nil }

    /// Whether the angles are named as the axes of a map.
    private(set) var isXY = false
    private static let planar: Set<Meaning> = [.easting, .northing, .zone, .x, .y]

    /// Takes the angles for numbers of a unit of so many degrees.
    mutating func takeAngles(in degrees: Double) {
        self.degrees = [.latitude: degrees, .longitude: degrees]
    }

    /// The places of the columns of numbers and times.
    var measured: [Int] {
        places.filter { ![.name, .note, .object, .segment, .fix, .mark].contains($0.key) }.values.sorted()
    }

    /// Whether cells name columns with a position.
    static func isHeader(_ cells: [String]) -> Bool {
        let meanings = cells.map { known(parts($0).name)?.meaning }
        if meanings.contains(.latitude), meanings.contains(.longitude) { return true }
        if meanings.contains(.easting), meanings.contains(.northing), meanings.contains(.zone) { return true }
        if meanings.contains(.x), meanings.contains(.y),
            meanings.contains(where: { [.time, .date, .altitude].contains($0) })
        {
            return true
        }
        // One column with both angles is one of points only beside a time, a height or a name.
        return meanings.contains(.position)
            && meanings.contains { [.time, .date, .altitude, .name].contains($0) }
    }

    /// Words of the time or of angles in languages that call the date `Datum` or `data`.
    private static let words: Set = [
        "breitengrad", "längengrad", "zeit", "uhrzeit", "höhe", "breedtegraad", "tijd",
        "hoogte", "latitudine", "longitudine", "ora", "quota",
    ]

    private static let quotes = CharacterSet.whitespaces.union(["\"", "\u{FEFF}"])

    /// The letters of a name, and the unit behind it: `Altitude (m)`, `speed[km/h]`, `elevation_m`.
    private static func parts(_ cell: String) -> (name: String, unit: String) {
        let text = cell.lowercased().trimmingCharacters(in: quotes)
        let head = text.prefix { $0 != "(" && $0 != "[" }
        var unit = text.dropFirst(head.count).trimmingCharacters(in: .init(charactersIn: "()[] "))
        var words = head.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if unit.isEmpty, words.count > 1, let last = words.last,
            RepairedNumber.lengths[last] ?? RepairedNumber.speeds[last] != nil
        {
            unit = last
            words.removeLast()
        }
        return (words.joined(), unit)
    }
}
