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
        // The board from 07:55 on lacks a run that left at 07:10.
        let board = await session.run("departures @B")
        #expect(board.contains("1 run improbably early: feed updates") == isDoubtful, "\(board)")
        #expect(await session.run("trip show t1").contains("1h early (improbable)") == isDoubtful)
    }

    /// Messages whose times are those of another zone have nearly all runs late by the same hours.
    @Test(arguments: [(5, 3720, true), (4, 3720, false), (5, 1800, false), (5, 120, false)])
    func timesOfAnotherZone(count: Int, delay: Int, isDoubtful: Bool) async throws {
        let trips = (0..<count).map { number in
            ("z\(number)", "r1", "s", "0", "", "A 08:1\(number);D 08:3\(number)") as StreetFeed.Trip
        }
        let updates = trips.map {
            Proto.update(Proto.trip($0.id, day: StreetFeed.day), [Proto.call(1, departure: delay)])
        }
        let session = try await StreetFeed.session(StreetFeed.tables(trips), with: updates)
        let board = await session.run("departures @A")
        #expect(
            board.contains("nearly all its runs are 1h late: its times may be of another zone") == isDoubtful)
    }

    /// An alert that names nothing is on no board, one with an empty selector on all: their list says so.
    @Test func alertsAboutNothing() async throws {
        let header = Proto().message(1, Proto().text(1, "Works"))
        let session = try await StreetFeed.session(with: [
            (5, Proto().message(10, header)), (5, Proto().message(5, Proto()).message(10, header)),
        ])
        #expect(await session.run("feed alerts | first | get scope") == "nothing: no board shows it")
        #expect(await session.run("feed alerts | last | get scope") == "everything")
    }

    /// A prediction that is too old is not counted among those applied.
    @Test func outdatedPredictionsAreNotApplied() async throws {
        let trip = Proto.trip("t1", day: StreetFeed.day)
        let update = Proto().message(1, trip).message(2, Proto.call(1, departure: 300)).number(
            4, StreetFeed.moment("06:55"))
        let session = try await StreetFeed.session(with: [(3, update)])
        #expect(await session.shown("feed realtime | get updates") == "1")
        #expect(await session.shown("feed realtime | get applied") == "0")
    }

    /// Which of the rows of a board alerts are about is told beside them where they differ.
    @Test func alertsBesideTheirRows() async throws {
        let header = Proto().message(1, Proto().text(1, "Works"))
        let one = Proto().message(5, Proto().message(4, Proto().text(1, "t2"))).message(10, header)
        let all = Proto().message(5, Proto().text(5, "B")).message(10, header)
        let some = try await StreetFeed.session(with: [(5, one)])
        #expect(await some.run("departures @B | where trip == t2 | first | get alerts").contains("Works"))
        #expect(!(await some.run("departures @B | where trip == t1 | first | get alerts")).contains("Works"))
        #expect(await some.run("departures @B").contains("alerts"))
        let same = try await StreetFeed.session(with: [(5, all)])
        #expect(!(await same.run("departures @B").contains("alerts")))
    }

    /// An alert whose period ends before it begins is shown with that: when it is in force is unknown.
    @Test func reversedPeriods() async throws {
        let period = Proto().number(1, StreetFeed.moment("09:00")).number(2, StreetFeed.moment("08:00"))
        let header = Proto().message(1, Proto().text(1, "Works"))
        let alert = Proto().message(1, period).message(5, Proto().text(5, "A")).message(10, header)
        let session = try await StreetFeed.session(with: [(5, alert)])
        #expect(await session.run("feed alerts | first | get scope") == "its period ends before it begins")
        let board = await session.run("departures @A | first | get alerts")
        #expect(board.contains("Works (its period ends before it begins)"), "\(board)")
    }
}
