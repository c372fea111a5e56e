import COsmium
import Foundation
import Geodesy
import PluginKit

/// The named and addressed objects of an OSM file, as the library lends them.
final class OSMPlaces {
    /// Nodes, ways or relations.
    enum ObjectType: UInt8 {
        case node, way, relation
    }

    private var places: cosm_places
    /// The number of each text that is asked for as a key.
    private var keys: [String: Int32] = [:]
    /// The texts of keys by number, made when first needed.
    private var keyTexts: [Int32: String] = [:]

    fileprivate init(_ places: cosm_places) {
        self.places = places
        for text in 0..<places.text_count { keys[self.text(Int32(text))] = Int32(text) }
    }

    deinit { cosm_free_places(&places) }

    /// How many objects there are.
    var count: Int { places.count }

    func type(_ object: Int) -> ObjectType { ObjectType(rawValue: places.types[object]) ?? .node }

    func id(_ object: Int) -> Int64 { places.ids[object] }

    /// The value of a tag.
    func value(_ object: Int, _ key: String) -> String? {
        guard let number = keys[key] else { return nil }
        for tag in tags(object) where places.tags[2 * tag] == number {
            return text(places.tags[2 * tag + 1])
        }
        return nil
    }

    /// All tags that were kept, in the order of the file.
    func pairs(_ object: Int) -> [(key: String, value: String)] {
        tags(object).map { tag in
            let number = places.tags[2 * tag]
            let key = keyTexts[number] ?? text(number)
            keyTexts[number] = key
            return (key, text(places.tags[2 * tag + 1]))
        }
    }

    func hasTags(_ object: Int) -> Bool { !tags(object).isEmpty }

    private func tags(_ object: Int) -> Range<Int> {
        Int(places.first_tag[object])..<Int(places.first_tag[object + 1])
    }

    /// The points of an object.
    func points(_ object: Int) -> Range<Int> {
        Int(places.first_point[object])..<Int(places.first_point[object + 1])
    }

    /// The node of a point.
    func node(_ point: Int) -> Int64 { places.nodes[point] }

    /// Where a point is; `nil` when the file does not have the node.
    func coordinate(_ point: Int) -> Coordinate? {
        let (latitude, longitude) = (places.points[2 * point], places.points[2 * point + 1])
        guard latitude != COSM_UNDEFINED else { return nil }
        return Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }

    /// The members of a relation that were read, with their roles; those that the file does not have are `nil`.
    func members(_ object: Int) -> [(object: Int?, role: String)] {
        (Int(places.first_member[object])..<Int(places.first_member[object + 1])).map { member in
            let index = Int(places.members[member])
            return (index < 0 ? nil : index, text(places.roles[member]))
        }
    }

    private func text(_ number: Int32) -> String {
        let (start, end) = (places.first_byte[Int(number)], places.first_byte[Int(number) + 1])
        let bytes = UnsafeRawBufferPointer(start: places.bytes + Int(start), count: Int(end - start))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension OSMReader {
    /// Reads what has a name or an address. The kind of file has been checked by reading the ways.
    func readPlaces() throws -> OSMPlaces {
        try NativeLibrary.osmium.require()
        var places = cosm_places()
        let outcome = withProgress("reading names") { function, context in
            cosm_read_places(url.path, function, context, &places)
        }
        do { try check(outcome) } catch {
            cosm_free_places(&places)
            throw error
        }
        return OSMPlaces(places)
    }
}
