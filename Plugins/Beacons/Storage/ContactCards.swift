import Foundation
import Geodesy
import PluginKit

/// Cards of contacts (vCard 2.1, 3.0 and 4.0): names with places or addresses.
struct ContactCards {
    /// A contact.
    struct Card: Sendable {
        var name: String
        var coordinate: Coordinate?
        /// The first address, as `place find` reads it.
        var address: String?
        var categories: String?
        /// Why the place of the card is none; `nil` without one.
        var placeFault: String?
        /// Its identifier, if that is a UUID.
        var id: UUID?
    }

    /// Whether bytes begin as cards do.
    static func isCards(_ data: Data) -> Bool {
        String(decoding: data.prefix(64), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            .trimmingCharacters(in: CharacterSet(charactersIn: "\u{FEFF}")).uppercased().hasPrefix(
                "BEGIN:VCARD")
    }

    /// Reads all cards; one without an end counts to the next beginning.
    static func cards(in data: Data) -> [Card] {
        var cards: [Card] = []
        var card: Card?
        for line in lines(String(decoding: data, as: UTF8.self)) {
            guard let colon = colon(of: line) else { continue }
            // `item1.ADR;TYPE=home` is the property ADR of a group.
            let head = line[..<colon].split(separator: ";")
            let property = head.first?.split(separator: ".").last.map { $0.uppercased() } ?? ""
            let isQuoted = head.contains { $0.uppercased().hasSuffix(quotedPrintable) }
            let raw = String(line[line.index(after: colon)...])
            let value = isQuoted ? decoded(raw) : raw
            switch property {
            case "BEGIN":
                if let card { cards.append(card) }
                card = Card(name: "")
            case "END":
                if let card { cards.append(card) }
                card = nil
            case "FN": card?.name = unescaped(value)
            case "N" where card?.name.isEmpty == true:
                let parts = parts(value)
                card?.name = parts.prefix(2).reversed().filter { !$0.isEmpty }.joined(separator: " ")
            case "GEO" where card?.coordinate == nil:
                let place = place(value)
                card?.coordinate = place
                card?.placeFault = place == nil ? "its GEO `\(value.prefix(40))` is no place" : nil
            case "ADR" where card?.address == nil:
                // Post box and extension say nothing about the place.
                let address = parts(value).dropFirst(2).filter { !$0.isEmpty }.joined(separator: ", ")
                if !address.isEmpty { card?.address = address }
            case "UID":
                let text = value.lowercased().hasPrefix("urn:uuid:") ? String(value.dropFirst(9)) : value
                card?.id = UUID(uuidString: text.trimmingCharacters(in: .whitespaces))
            case "CATEGORIES": card?.categories = unescaped(value)
            default: break
            }
        }
        if let card { cards.append(card) }
        return cards
    }

    /// The place of `geo:46.5,7.5;u=20` or `46.5;7.5`; `nil` if it is none, or in another reference system. Two numbers with a
    /// comma are none: version 2.1 writes the longitude first, and programs do not agree on it. Programs write 0,0 where no
    /// place is known.
    static func place(_ text: String) -> Coordinate? {
        // Some programs escape the semicolon, as in texts.
        let plain = text.replacing("\\;", with: ";").trimmingCharacters(in: .whitespaces)
        if plain.lowercased().hasPrefix("geo:") {
            return MapLink(plain)?.coordinate.flatMap { isZero($0) ? nil : $0.withoutAltitude }
        }
        let numbers = plain.split(separator: ";", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid && !isZero(place) ? place : nil
    }

    private static func isZero(_ coordinate: Coordinate) -> Bool {
        coordinate.latitude == 0 && coordinate.longitude == 0
    }

    /// The cards of beacons, version 4.0.
    static func data(_ beacons: [Beacon]) -> Data {
        let cards = beacons.map { beacon in
            let place = beacon.coordinate
            var lines = [
                "BEGIN:VCARD", "VERSION:4.0", "KIND:location", "UID:urn:uuid:\(beacon.id.uuidString)",
                "FN:\(escaped(beacon.name))", "GEO:\(uri(place))",
            ]
            if let group = beacon.group { lines.append("CATEGORIES:\(escaped(group))") }
            return (lines + ["END:VCARD"]).map(folded).joined(separator: "\r\n") + "\r\n"
        }
        return Data(cards.joined().utf8)
    }

    /// A place as a link that map apps open (RFC 5870).
    static func uri(_ coordinate: Coordinate) -> String {
        "geo:\(coordinate.latitude.formatted6),\(coordinate.longitude.formatted6)"
    }

    /// Lines without their folding: a line that begins with a blank continues the one before.
    private static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
            if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else if let last = lines.last, last.hasSuffix("="), last.uppercased().contains(quotedPrintable)
            {
                lines[lines.count - 1] = "\(last.dropLast())\(line)"
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// The encoding of texts in version 2.1.
    private static let quotedPrintable = "QUOTED-PRINTABLE"

    /// Text in quoted-printable; bytes that are no UTF-8 become replacement characters.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let pair = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "="), pair.utf8.count == 2, let value = UInt8(pair, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The longest line of a card, in bytes, without its end.
    private static let longestLine = 75

    /// A line in pieces of at most 75 bytes, as the format asks.
    private static func folded(_ line: String) -> String {
        var result = ""
        var bytes = 0
        for character in line {
            if bytes + character.utf8.count > longestLine {
                result += "\r\n "
                bytes = 1
            }
            result.append(character)
            bytes += character.utf8.count
        }
        return result
    }

    /// The colon before the value: those inside quotes belong to a parameter.
    private static func colon(of line: String) -> String.Index? {
        var isQuoted = false
        return line.indices.first { index in
            if line[index] == "\"" { isQuoted.toggle() }
            return line[index] == ":" && !isQuoted
        }
    }

    /// The parts of a structured value.
    private static func parts(_ value: String) -> [String] {
        var parts = [""]
        var isEscaped = false
        for character in value {
            if character == ";", !isEscaped {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return parts.map(unescaped)
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character == "n" || character == "N" ? " " : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result.trimmingCharacters(in: .whitespaces)
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\,;".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}

extension Double {
    /// Six decimals, a tenth of a metre, without trailing zeros.
    fileprivate var formatted6: String { DecimalText.trimmed(self, decimals: 6) }
}
