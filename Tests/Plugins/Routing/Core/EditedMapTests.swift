import Foundation
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Maps that an editor saved with what was deleted in it.
struct EditedMapTests {
    @Test func deletedObjectsAreLeftOut() throws {
        let text = """
            <osm version='0.6' generator='JOSM'>
            <node id='1' action='delete' lat='47' lon='9'/>
            <node id='2' action='modify' lat='47' lon='9'><tag k='note' v="action='delete'"/></node>
            <way id='3' action='delete' note='a > b'><nd ref='1'/><tag k='highway' v='path'/></way>
            <way id='4'><nd ref='2'/></way>
            <relation id="5" action="delete"><member type='way' ref='3' role=''/></relation>
            <way id='6' action='delete'><nd ref='1'/></way>
            </osm>
            """
        let edited = try #require(EditedMap.withoutDeletions(Data(text.utf8)))
        let kept = String(decoding: edited.data, as: UTF8.self)
        #expect(edited.deleted == 4)
        #expect(kept.contains("id='2'") && kept.contains("id='4'"))
        #expect(!kept.contains("id='1'") && !kept.contains("id='3'") && !kept.contains("id=\"5\""))
        #expect(!kept.contains("id='6'"))
        #expect(kept.hasSuffix("</osm>"))
        #expect(EditedMap.withoutDeletions(Data("<osm generator='JOSM'/>".utf8)) == nil)
    }

    @Test(arguments: [
        ("minlat=\"47\" minlon=\"9\" maxlat=\"48\" maxlon=\"10\"", false),
        ("minlat=\"47,1\" minlon=\"9\" maxlat=\"48\" maxlon=\"10\"", true),
        ("minlat='NaN' minlon='9' maxlat='48' maxlon='10'", true), ("origin='CGImap'", false),
    ])
    func boundsThatAreNoNumbersAreFound(attributes: String, isUnreadable: Bool) {
        let text = "<osm version='0.6'><bounds \(attributes)/><node id='1' lat='47' lon='9'/></osm>"
        let place = EditedMap.unreadableBounds(in: Data(text.utf8))
        #expect((place != nil) == isUnreadable)
        guard let place else { return }
        var data = Data(text.utf8)
        data.removeSubrange(place)
        #expect(
            String(decoding: data, as: UTF8.self)
                == "<osm version='0.6'><node id='1' lat='47' lon='9'/></osm>")
    }

    @Test(.needs(.osmium)) func aFileWithBoundsThatAreNoNumbersIsRead() async throws {
        let map = """
            <osm version='0.6'><bounds minlat='?' minlon='9' maxlat='48' maxlon='10'/>
            <node id='1' version='1' lat='47' lon='9'/><node id='2' version='1' lat='47' lon='9.01'/>
            <way id='3' version='1'><nd ref='1'/><nd ref='2'/><tag k='highway' v='path'/></way></osm>
            """
        let session = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(map.utf8)])
        let report = await session.run("region import map.osm")
        #expect(report.contains("the bounds of the file are no numbers"), "\(report)")
        #expect(await session.run("route plan 47,9 47,9.01 | get distance").hasPrefix("75"))
    }

    /// Two nodes at one place look like a junction: no route leads across, which the import says.
    @Test(.needs(.osmium), arguments: [("3", false), ("2", true)])
    func nodesAtOnePlaceAreNoJunction(start: String, isJoined: Bool) async throws {
        let map = """
            <osm version='0.6'>
            <node id='1' version='1' lat='47' lon='9'/><node id='2' version='1' lat='47' lon='9.01'/>
            <node id='3' version='1' lat='47' lon='9.01'/><node id='4' version='1' lat='47' lon='9.02'/>
            <way id='5' version='1'><nd ref='1'/><nd ref='2'/><tag k='highway' v='path'/></way>
            <way id='6' version='1'><nd ref='\(start)'/><nd ref='4'/><tag k='highway' v='path'/></way></osm>
            """
        let session = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(map.utf8)])
        let report = await session.run("region import map.osm")
        #expect(report.contains("no route leads across: at 47,9.01") != isJoined, "\(report)")
    }

    /// The straight way was deleted in the editor: the route goes round.
    @Test(.needs(.osmium)) func routesDoNotUseDeletedWays() async throws {
        func map(_ action: String) -> Data {
            let nodes = [(1, 47.0, 9.0), (2, 47.0, 9.01), (3, 47.005, 9.005)].map {
                "<node id='\($0.0)' visible='true' version='1' lat='\($0.1)' lon='\($0.2)'/>"
            }
            let ways =
                "<way id='10' \(action) version='1'><nd ref='1'/><nd ref='2'/><tag k='highway' v='path'/></way>"
                + "<way id='11' version='1'><nd ref='1'/><nd ref='3'/><nd ref='2'/><tag k='highway' v='path'/></way>"
            return Data("<osm version='0.6' generator='JOSM'>\(nodes.joined())\(ways)</osm>".utf8)
        }
        let session = try TestSession(
            plugins: { [RoutingPlugin()] },
            files: ["whole.osm": map(""), "edited.osm": map("action='delete'")])
        await session.run("region import whole.osm")
        let straight = await session.run("route plan 47,9 47,9.01 --region whole | get distance")
        #expect(
            straight.hasPrefix("75") && straight.hasSuffix("m") && !straight.hasSuffix("km"), "\(straight)")
        let report = await session.run("region import edited.osm")
        #expect(report.contains("1 object that an editor marked as deleted left out"), "\(report)")
        let round = await session.run("route plan 47,9 47,9.01 --region edited | get distance")
        #expect(round.hasSuffix("km"), "\(round)")
    }
}
