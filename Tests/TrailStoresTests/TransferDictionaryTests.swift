import Foundation
import Geodesy
import Testing
import TrailStores

/// The dictionary of a waypoint on the watch link: its keys, and what is refused.
struct TransferDictionaryTests {
    private func full() -> Waypoint {
        var waypoint = Fixture.waypoint()
        waypoint.hikeID = Fixture.other
        waypoint.hasPhoto = true
        return waypoint
    }

    @Test func theKeysOfAWholeWaypoint() {
        let dictionary = TransferDictionary.make(full(), thumbnail: Data([1, 2]))
        #expect(
            dictionary == [
                "type": .text("waypoint"), "id": .text("6F9619FF-8B86-D011-B42D-00C04FC964FF"),
                "latitude": .number(46.5763), "longitude": .number(7.9904), "altitude": .number(1973),
                "timestamp": .number(1_770_365_730.123), "label": .text("Hut"), "category": .text("shelter"),
                "note": .text("closed in winter"), "hasPhoto": .boolean(true),
                "hikeId": .text("1B671A64-40D5-491E-99B0-DA01FF1F3341"),
                "thumbnailData": .data(Data([1, 2])),
            ])
    }

    @Test func whatThereIsNotHasNoKey() {
        var waypoint = Fixture.waypoint()
        waypoint.coordinate.altitude = nil
        let keys = Set(TransferDictionary.make(waypoint).keys)
        #expect(keys.isDisjoint(with: ["altitude", "hikeId", "thumbnailData"]))
        #expect(keys.count == 9)
    }

    @Test func whatIsSentIsReceived() throws {
        let sent = full()
        let received = try TransferDictionary.read(TransferDictionary.make(sent, thumbnail: Data([7])))
        #expect(received.waypoint == sent)
        #expect(received.thumbnail == Data([7]))
        var bare = Fixture.waypoint()
        bare.coordinate.altitude = nil
        #expect(try TransferDictionary.read(TransferDictionary.make(bare)).waypoint == bare)
    }

    @Test(arguments: [
        "id", "latitude", "longitude", "timestamp", "label", "category", "note", "hasPhoto",
    ])
    func aKeyThatIsMissingOrWrongIsNamed(key: String) {
        var dictionary = TransferDictionary.make(full())
        dictionary[key] = nil
        #expect(
            messageThrown { _ = try TransferDictionary.read(dictionary) }?.contains("key \(key) ") == true)
        dictionary[key] = .data(Data())
        #expect(codeThrown { _ = try TransferDictionary.read(dictionary) } == "E-STORE-TRANSFER")
    }

    @Test(arguments: ["altitude", "hikeId", "thumbnailData"])
    func anOptionalKeyThatIsThereMustBeRight(key: String) {
        var dictionary = TransferDictionary.make(full())
        dictionary[key] = .boolean(true)
        #expect(codeThrown { _ = try TransferDictionary.read(dictionary) } == "E-STORE-TRANSFER")
        dictionary[key] = nil
        #expect(codeThrown { _ = try TransferDictionary.read(dictionary) } == nil)
    }
}
