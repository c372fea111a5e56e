import CivilTime
import Fetching
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// A message in the wire format, written field by field by the format's description: independent of the
/// reader.
struct Proto {
    private(set) var bytes: [UInt8] = []

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    func number(_ field: Int, _ value: Int) -> Proto {
        Proto(bytes: bytes + Self.varint(UInt64(field) << 3) + Self.varint(UInt64(bitPattern: Int64(value))))
    }

    func text(_ field: Int, _ text: String) -> Proto { raw(field, Array(text.utf8)) }
    func message(_ field: Int, _ message: Proto) -> Proto { raw(field, message.bytes) }

    /// A `float` of 32 bits.
    func float(_ field: Int, _ value: Float) -> Proto {
        let bits = (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        return Proto(bytes: bytes + Self.varint(UInt64(field) << 3 | 5) + bits)
    }

    private func raw(_ field: Int, _ content: [UInt8]) -> Proto {
        Proto(
            bytes: bytes + Self.varint(UInt64(field) << 3 | 2) + Self.varint(UInt64(content.count)) + content)
    }

    init(bytes: [UInt8] = []) { self.bytes = bytes }

    /// A message with trip updates, made at a time.
    static func feed(_ time: Int, _ entities: [(field: Int, message: Proto)]) -> Proto {
        var feed = Proto().message(1, Proto().text(1, "2.0").number(2, 0).number(3, time))
        for (index, entity) in entities.enumerated() {
            feed = feed.message(2, Proto().text(1, "e\(index)").message(entity.field, entity.message))
        }
        return feed
    }

    static func trip(_ id: String, day: String = "", relationship: Int = 0, start: String = "") -> Proto {
        var trip = Proto().text(1, id)
        if !start.isEmpty { trip = trip.text(2, start) }
        if !day.isEmpty { trip = trip.text(3, day) }
        return relationship == 0 ? trip : trip.number(4, relationship)
    }

    /// A stop time update; negative delays are written as the format writes them, in ten bytes.
    static func call(
        _ sequence: Int? = nil, stop: String = "", departure: Int? = nil, at: Int? = nil,
        relationship: Int = 0,
        platform: String = ""
    ) -> Proto {
        var call = Proto()
        if let sequence { call = call.number(1, sequence) }
        if departure != nil || at != nil {
            var event = Proto()
            if let departure { event = event.number(1, departure) }
            if let at { event = event.number(2, at) }
            call = call.message(3, event)
        }
        if !stop.isEmpty { call = call.text(4, stop) }
        if relationship != 0 { call = call.number(5, relationship) }
        return platform.isEmpty ? call : call.message(6, Proto().text(1, platform))
    }

    static func update(_ trip: Proto, _ calls: [Proto], delay: Int? = nil) -> (field: Int, message: Proto) {
        var update = Proto().message(1, trip)
        for call in calls { update = update.message(2, call) }
        if let delay { update = update.number(5, delay) }
        return (3, update)
    }
}
