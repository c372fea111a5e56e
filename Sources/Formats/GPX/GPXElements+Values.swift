import CivilTime
import Core
import Foundation
import Geodesy

/// The values of points, lines and the file.
extension GPXElements {
    mutating func finishedPoint() -> GPXPoint? {
        guard var finished = point else { return nil }
        point = nil
        whole += 1
        if isAstray {
            isAstray = false
            if let time = finished.time, line != nil {
                line?.unplaced.append(
                    UnplacedSample(
                        time: time, altitude: finished.coordinate.altitude, sensors: finished.sensors))
            } else {
                aside.leaveOut(
                    finished.time == nil
                        ? "without a position and a time" : "waypoints without a position")
            }
            return nil
        }
        if finished.details.count > 1 { finished.details = Self.inOrder(finished.details) }
        if let comment {
            if finished.description == nil {
                finished.description = comment
            } else {
                finished.comment = comment
            }
        }
        return finished
    }

    /// The details in schema order, the first of each kind.
    private static func inOrder(_ details: [GPXDetail]) -> [GPXDetail] {
        GPXDetail.Kind.allCases.compactMap { kind in details.first { $0.kind == kind } }
    }

    mutating func finish(_ element: Element) throws {
        let bytes = GPXText.trimmed(text[...])
        if bytes.isEmpty { return }
        switch element {
        case .ele:
            let value = number(bytes, "ele", RepairedNumber.lengths)
            point?.coordinate.altitude = value
        case .sensor(let kind):
            let value = number(bytes, kind.rawValue, RepairedNumber.units(of: kind))
            point?.sensors[kind] = value
        case .time: try finishTime(bytes)
        default: try finishText(element, bytes)
        }
    }

    private mutating func finishText(_ element: Element, _ bytes: ArraySlice<UInt8>) throws {
        // User texts keep their inner whitespace; everything else is a value.
        let isWords = [.name, .desc, .cmt].contains(element)
        let value = String(decoding: isWords ? GPXText.withoutLayout(text[...]) : bytes, as: UTF8.self)
        switch element {
        case .detail(let kind):
            if let detail = GPXDetail(kind, value) {
                if point?.details.contains(where: { $0.kind == kind }) == true {
                    drop(kind.rawValue, in: stack.last)
                }
                point?.details.append(detail)
            } else {
                drop("\(kind.rawValue) `\(value.prefix(20))`", in: stack.last)
            }
        case .name: try finishName(value)
        case .desc: try finishDescription(value)
        case .cmt: if point != nil { comment = value } else { line?.comment = value }
        case .src: line?.source = value
        case .number:
            line?.number = Int(value)
            if line?.number == nil { drop("number `\(value.prefix(20))`") }
        case .url: try keep(WebLink(value))
        case .urlName: try finishURLName(value)
        case .linkText: link?.text = value
        case .linkType: link?.type = value
        case .year: copyright?.year = value
        case .license: copyright?.license = value
        case .email: try handle(.authorEmail(value))
        case .keywords: try handle(.keywords(value))
        case .authorName: try handle(.author(value))
        case .sym: point?.symbol = value
        case .type:
            if point != nil {
                point?.type = value
            } else {
                let word = activity(value)
                line?.type = word
            }
        default: break
        }
    }

    /// The activity of a line; the numbers of Strava are words.
    private mutating func activity(_ value: String) -> String {
        guard isStrava, let number = Int(value) else { return value }
        guard let word = TrackActivity.numbers[number] else {
            doubts.add("activity \(number), a number of Strava whose meaning is not known")
            return value
        }
        return word
    }

    /// In GPX 1.0 the text of a link follows its address.
    private mutating func finishURLName(_ value: String) throws {
        if let last = point?.links.indices.last {
            point?.links[last].text = value
        } else if point == nil, let last = line?.links.indices.last {
            line?.links[last].text = value
        } else if point == nil, line == nil {
            try handle(.linkText(value))
        } else {
            drop("urlname")
        }
    }

    private mutating func finishTime(_ bytes: ArraySlice<UInt8>) throws {
        if let time = bytes.withUnsafeBufferPointer(ISO8601.timestamp(utf8:)) {
            if point != nil {
                if ISO8601.hasZone(bytes) { zoned += 1 } else { doubts.add(RecordedTime.withoutZone) }
            }
            if point != nil { point?.time = time } else { try handle(.time(time)) }
            return
        }
        let value = String(decoding: bytes, as: UTF8.self)
        if let (time, hasZone, doubt) = RecordedTime.repaired(value) {
            doubts.add(doubt)
            if point != nil, !hasZone { doubts.add(RecordedTime.withoutZone) }
            if point != nil { point?.time = time } else { try handle(.time(time)) }
            return
        }
        guard let time = ISO8601.timestamp(value + "T00:00:00Z") else {
            return doubts.add(RecordedTime.refusal(value), at: lineNumber)
        }
        if point != nil { point?.time = time } else { try handle(.time(time)) }
    }

    private mutating func finishDescription(_ value: String) throws {
        if point != nil {
            point?.description = value
        } else if line != nil {
            line?.description = value
        } else {
            try handle(.description(value))
        }
    }

    private mutating func finishName(_ value: String) throws {
        if point != nil {
            point?.name = value
        } else if line != nil {
            line?.name = value
        } else {
            try handle(.name(value))
        }
    }

    /// The number of a value; one that is none is dropped, with a count.
    mutating func number(
        _ bytes: ArraySlice<UInt8>, _ name: String, _ units: [String: Double]
    ) -> Double? {
        if let number = bytes.withUnsafeBufferPointer(DecimalBytes.number), number.isFinite { return number }
        if let number = DecimalBytes.withComma(bytes), hasDecimalComma || !RepairedNumber.isGrouped(bytes) {
            doubts.add("values of `\(name)` with a comma, read as a decimal point")
            return number
        }
        if let number = DecimalBytes.western(String(decoding: bytes, as: UTF8.self))
            .flatMap(DecimalBytes.decimal)
        {
            doubts.add(DecimalBytes.foreignDigits)
            return number
        }
        if let number = RepairedNumber.withUnit(
            String(decoding: bytes, as: UTF8.self), units, hasDecimalComma: hasDecimalComma)
        {
            doubts.add("values of `\(name)` with a unit, converted")
            return number
        }
        doubts.add("values of `\(name)` that are no number, left out", at: lineNumber)
        return nil
    }

    /// The position of a point; `nil` if it is none. Of a line, the points beside it show what a longitude beyond 180° is.
    mutating func coordinate(_ attributes: XMLAttributes, isOfLine: Bool) throws -> Coordinate? {
        points += 1
        guard points <= GPXSettings.mostPoints else {
            throw GPXErrors.hostile(
                "the file has more than \(GPXSettings.mostPoints) points",
                fix: "split the recording, and import its parts separately")
        }
        if points % GPXSettings.checkInterval == 0 { try check(points) }
        let north = attributes.value("lat") ?? attributes.value(of: Self.latitudes)
        let east = attributes.value("lon") ?? attributes.value(of: Self.longitudes)
        if let latitude = degrees(north, limit: 90),
            let longitude = degrees(east, limit: isOfLine ? LogSettings.turn.nextDown : 180)
        {
            angles.addSound()
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        guard let north, let east else { return nil }
        let (first, second) = (String(decoding: north, as: UTF8.self), String(decoding: east, as: UTF8.self))
        guard let place = RepairedNumber.place(first, second) else {
            angles.add(DecimalBytes.decimal(first), DecimalBytes.decimal(second), at: lineNumber)
            return nil
        }
        doubts.add(RepairedNumber.otherAngles, at: lineNumber)
        return place
    }

    /// Names of the attributes in other programs, in small letters.
    static let latitudes: Set = ["lat", "latitude", "y"]
    static let longitudes: Set = ["lon", "lng", "long", "longitude", "x"]

    /// An angle within a limit. One beyond it is not wrapped here: what it meant is unknown.
    private mutating func degrees(_ bytes: UnsafeBufferPointer<UInt8>?, limit: Double) -> Double? {
        guard let bytes else { return nil }
        let text = UnsafeBufferPointer(rebasing: GPXText.trimmed(bytes[...]))
        var number = DecimalBytes.number(text)
        if number == nil, let repaired = DecimalBytes.withComma(text) {
            number = repaired
            hasDecimalComma = true
            doubts.add("coordinates with a comma, read as a decimal point")
        }
        if number == nil, let western = DecimalBytes.western(String(decoding: text, as: UTF8.self)) {
            number = DecimalBytes.decimal(western)
            doubts.add(DecimalBytes.foreignDigits)
        }
        guard let value = number, value.isFinite, abs(value) <= limit else { return nil }
        return value
    }
}
