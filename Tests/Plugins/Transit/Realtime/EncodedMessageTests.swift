import Foundation
import Testing

@testable import TransitPlugin

/// The reader of realtime messages compared with another implementation of Protocol Buffers.
@Suite struct EncodedMessageTests {
    @Test func messagesOfAnotherEncoder() throws {
        for (message, content) in EncodedMessages.all {
            let bytes = try #require(Data(base64Encoded: message))
            #expect(try Self.lines(RealtimeFeed([UInt8](bytes))).joined(separator: "\n") == content)
        }
    }

    /// Unknown fields of other numbers and types are skipped, at every level.
    @Test func unknownFields() throws {
        for (message, content) in EncodedMessages.all {
            let bytes = [UInt8](try #require(Data(base64Encoded: message)))
            // Fields 1000, 1001 and 1002: a number, four bytes and eight.
            let further: [UInt8] =
                [0xC0, 0x3E, 7] + [0xCD, 0x3E, 1, 2, 3, 4] + [0xD1, 0x3E, 1, 2, 3, 4, 5, 6, 7, 8]
            #expect(try Self.lines(RealtimeFeed(further + bytes)).joined(separator: "\n") == content)
            #expect(try Self.lines(RealtimeFeed(bytes + further)).joined(separator: "\n") == content)
        }
    }

    private static func text(_ value: (some CustomStringConvertible)?) -> String {
        let text = value.map { "\($0)" } ?? ""
        return text.isEmpty ? "-" : text
    }

    private static func line(_ trip: RealtimeFeed.TripDescriptor) -> String {
        "\(trip.trip) \(text(trip.route)) \(text(trip.start)) \(text(trip.day?.text)) \(trip.relationship.rawValue)"
    }

    private static func line(_ event: RealtimeFeed.Event?) -> String {
        event.map { "\(text($0.delay))@\(text($0.time))" } ?? "-"
    }

    static func lines(_ feed: RealtimeFeed) -> [String] {
        var parts: [(id: String, lines: [String])] = []
        for update in feed.updates {
            parts.append(
                (
                    update.id,
                    ["update \(update.id) \(line(update.trip)) \(text(update.delay))"]
                        + update.stops.map { call in
                            "  \(text(call.sequence)) \(text(call.stop)) \(line(call.arrival)) \(line(call.departure)) "
                                + "\(call.relationship.rawValue) \(text(call.assignedStop))"
                        }
                ))
        }
        for vehicle in feed.vehicles {
            let place = vehicle.coordinate.map { "\(Int($0.latitude)) \($0.longitude)" } ?? "- -"
            parts.append(
                (
                    vehicle.id,
                    [
                        "vehicle \(vehicle.id) \(line(vehicle.trip)) \(place) \(text(vehicle.bearing)) "
                            + "\(text(vehicle.speed)) \(text(vehicle.stop)) \(text(vehicle.time)) \(vehicle.label)"
                    ]
                ))
        }
        for alert in feed.alerts {
            parts.append(
                (
                    alert.id,
                    ["alert \(alert.id) \(text(alert.effect)) \(text(alert.header)) / \(text(alert.text))"]
                        + alert.periods.map { "  \(text($0.start))..\(text($0.end))" }
                        + alert.entities.map { entity in
                            "  \(text(entity.agency)) \(text(entity.route)) \(text(entity.routeType)) "
                                + "\(text(entity.trip)) \(text(entity.stop))"
                        }
                ))
        }
        return [text(feed.time)] + parts.sorted { $0.id < $1.id }.flatMap(\.lines)
    }
}
