import COsmium
import Foundation
import Geodesy
import PluginKit

/// The named and addressed objects of an OSM file, in the library's memory.
final class OSMPlaces {
    /// Nodes, ways or relations.
    enum ObjectType: UInt8 {
        case node, way, relation
    }

    private var places: cosm_places
    /// The number of the text of each key; −1 for one that no object has.
    private var numbers: [String: Int32] = [:]
    /// Keys by the number of their text, created on first use.
    private var keys: [Int32: Key] = [:]

    /// A key, and whether its value is a name.
    private struct Key {
        let text: String
        let isName: Bool
        let isFormer: Bool
        let isStart: Bool
    }

    /// A tag of an object.
    struct Tag {
        let key: String
        let value: String
        /// Whether the value is a name.
        let isName: Bool
        /// Whether the value is what the object was, or will be.
        let isFormer: Bool
        /// Whether the value is the date from which the object is there.
        let isStart: Bool
    }

    fileprivate init(_ places: cosm_places) { self.places = places }

    deinit { cosm_free_places(&places) }

    /// The number of objects.
    var count: Int { places.count }

    func type(_ object: Int) -> ObjectType { ObjectType(rawValue: places.types[object]) ?? .node }

    func id(_ object: Int) -> Int64 { places.ids[object] }

    /// The value of a tag.
    func value(_ object: Int, _ key: String) -> String? {
        let number = number(of: key)
        for tag in tags(object) where places.tags[2 * tag] == number {
            return text(places.tags[2 * tag + 1])
        }
        return nil
    }

    private func number(of key: String) -> Int32 {
        if let known = numbers[key] { return known }
        let bytes = Array(key.utf8)
        let found = (0..<places.text_count).first { text in
            let (start, end) = (Int(places.first_byte[text]), Int(places.first_byte[text + 1]))
            return end - start == bytes.count
                && UnsafeRawBufferPointer(start: places.bytes + start, count: bytes.count).elementsEqual(
                    bytes)
        }
        let number = found.map { Int32($0) } ?? -1
        numbers[key] = number
        return number
    }

    /// All tags that were kept, in the order of the file.
    func pairs(_ object: Int) -> [Tag] {
        tags(object).map { tag in
            let key = key(places.tags[2 * tag])
            return Tag(
                key: key.text, value: text(places.tags[2 * tag + 1]), isName: key.isName,
                isFormer: key.isFormer, isStart: key.isStart)
        }
    }

    private func key(_ number: Int32) -> Key {
        if let known = keys[number] { return known }
        let text = text(number)
        let made = Key(
            text: text, isName: OSMNames.isName(text), isFormer: LifecycleKinds.isFormer(key: text),
            isStart: LifeDates.starts.contains(text))
        keys[number] = made
        return made
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

    /// The coordinate of a point; `nil` if the file does not have the node.
    func coordinate(_ point: Int) -> Coordinate? {
        let (latitude, longitude) = (places.points[2 * point], places.points[2 * point + 1])
        guard latitude != COSM_UNDEFINED else { return nil }
        return Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }

    /// The members of a relation, with their roles; `nil` for those that the file does not have.
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
    /// Reads objects with a name or an address, and those that are searched for without one. The type of the file has been checked by reading the ways.
    func readPlaces() throws -> OSMPlaces {
        try NativeLibrary.osmium.require()
        var places = cosm_places()
        let kinds = PlaceTags.nameless
        let outcome = CStrings.withPointers(kinds) { pointers in
            withProgress("reading names") { function, context in
                cosm_read_places(source.handle, pointers, kinds.count, function, context, &places)
            }
        }
        do { try check(outcome) } catch {
            cosm_free_places(&places)
            throw error
        }
        return OSMPlaces(places)
    }
}
