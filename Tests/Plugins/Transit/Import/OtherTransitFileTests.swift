import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Files of other formats of public transport are named, not taken for damaged ones.
@Suite struct OtherTransitFileTests {
    private static let netex =
        "<?xml version=\"1.0\"?>\n<PublicationDelivery xmlns=\"http://www.netex.org.uk/netex\" "
        + "xmlns:siri=\"http://www.siri.org.uk/siri\"><PublicationTimestamp/></PublicationDelivery>"
    private static let siri =
        "<?xml version=\"1.0\"?><Siri xmlns=\"http://www.siri.org.uk/siri\"><ServiceDelivery/></Siri>"

    @Test(arguments: [
        (netex, TransitFormat.netex), (siri, .siri), ("{\"Siri\": {\"ServiceDelivery\": {}}}", .siri),
        ("\u{FEFF}<s:Siri xmlns:s=\"http://www.siri.org.uk/siri\"/>", .siri),
        ("<TransXChange xmlns=\"http://www.transxchange.org.uk/\">", .transXChange),
        ("{\"last_updated\":1,\"ttl\":60,\"data\":{\"stations\":[]}}", .gbfs),
        ("{\"header\":{\"gtfsRealtimeVersion\":\"2.0\"}}", .realtime),
    ])
    func formats(text: String, format: TransitFormat) { #expect(TransitFormat(Array(text.utf8)) == format) }

    @Test func messagesInTheBinaryForm() {
        #expect(TransitFormat(Proto.feed(StreetFeed.now, []).bytes) == .realtime)
        for text in ["<gpx/>", "{\"type\":\"FeatureCollection\"}", "a,b\n1,2\n", ""] {
            #expect(TransitFormat(Array(text.utf8)) == nil)
        }
    }

    @Test func commandsNameThem() async throws {
        let session = try await StreetFeed.session()
        func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: session.folder.url.appendingPathComponent(name))
        }
        try write("netex.xml", Array(Self.netex.utf8))
        try write("siri.xml", Array(Self.siri.utf8))
        try write("m.pb", Proto.feed(StreetFeed.now, []).bytes)
        for command in ["import", "feed import --force"] {
            let netex = await session.run("\(command) netex.xml")
            #expect(netex.contains("NeTEx, another format for timetables"), "\(netex)")
            let siri = await session.run("\(command) siri.xml")
            #expect(siri.contains("SIRI, another format for realtime"), "\(siri)")
            let message = await session.run("\(command) m.pb")
            #expect(message.contains("feed realtime"), "\(message)")
        }
    }
}
