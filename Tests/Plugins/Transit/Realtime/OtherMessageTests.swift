import Formats
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// What addresses give instead of a message in the binary form, and texts in it that are HTML.
@Suite struct OtherMessageTests {
    @Test(arguments: [
        ("", MessageLikeness.empty), ("\n <!DOCTYPE html>", .page), ("{\"header\": {}}", .json),
        ("header {\n  gtfs_realtime_version: \"2.0\"\n}", .text), ("PK\u{3}\u{4}", .archive),
    ])
    func likenesses(text: String, kind: MessageLikeness) {
        #expect(MessageLikeness(Array(text.utf8)) == kind)
    }

    @Test func aMessageIsNoneOfThem() {
        #expect(MessageLikeness(Proto.feed(StreetFeed.now, []).bytes) == nil)
    }

    @Test func theKindIsNamed() async throws {
        let session = try await StreetFeed.session()
        try Data("<html>Forbidden</html>".utf8).write(
            to: session.folder.url.appendingPathComponent("page.pb"))
        let answer = await session.run("feed realtime page.pb")
        #expect(answer.contains("page.pb is a page of HTML or XML"), "\(answer)")
        #expect(answer.contains("read the page"), "\(answer)")
    }

    @Test(arguments: [
        ("<p>Works until 23h30.</p><p>Take the <b>bus</b></p>", "Works until 23h30.\nTake the bus"),
        ("jusqu'&#224; 23h30 &amp; apr&egrave;s", "jusqu'à 23h30 & après"),
        ("one<br/>two", "one\ntwo"), ("A < B & C; D > E", "A < B & C; D > E"),
        ("&unknown; &#xE9; <3", "&unknown; é <3"),
        ("Use <Exit B> & go", "Use <Exit B> & go"), ("<<b>on</b>", "<on"),
        ("<Center Street> is closed", "<Center Street> is closed"),
        ("one<br />two <a href=\"x\">three</a>", "one\ntwo three"),
    ])
    func markup(written: String, plain: String) { #expect(HTMLFragment.lines(written) == plain) }

    private static func call(_ stop: String, _ clock: String) -> Proto {
        let event = Proto().number(2, StreetFeed.moment(clock))
        return Proto().message(2, event).message(3, event).text(4, stop)
    }

    private static func added(_ calls: [Proto]) -> Proto {
        let trip = Proto().text(1, "x").text(2, "1507757580").number(4, 1).text(5, "r1")
        return calls.reduce(Proto().message(1, trip)) { $0.message(2, $1) }
    }

    /// A run of its own with the time of each call needs no start.
    @Test func aStartThatIsNotNeeded() async throws {
        let update = Self.added([Self.call("A", "08:02"), Self.call("D", "08:20")])
        let session = try await StreetFeed.session(with: [(3, update)])
        #expect(await session.run("feed updates | first | get outcome") == "applied")
        let why = await session.run("feed updates | first | get why")
        #expect(
            why.contains("its start_time `1507757580` is not written as HH:MM:SS, and not used"), "\(why)")
        #expect(await session.run("departures @A | get trip").contains("x"))
    }

    /// A vehicle that leaves an hour before the timetable: the update may be in the wrong zone, or about another run.
    @Test(arguments: [(-300, false), (-3600, true)])
    func earliness(delay: Int, isDoubtful: Bool) async throws {
        let trip = Proto().text(1, "t1").text(3, StreetFeed.day)
        let call = Proto().message(3, Proto().number(1, delay)).text(4, "B")
        let session = try await StreetFeed.session(with: [(3, Proto().message(1, trip).message(2, call))])
        let why = await session.run("feed updates | first | get why")
        #expect(
            why.contains("it leaves B 1h before the timetable, which is improbable") == isDoubtful, "\(why)")
    }
}
