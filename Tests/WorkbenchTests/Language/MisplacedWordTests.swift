import PluginTestKit
import Testing

/// Words where people expect them, and what the error says to write instead.
struct MisplacedWordTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [] }) }

    private func fix(_ entry: String) async -> String? { await test.result(entry).failure?.fix }

    @Test func aVariableAfterACommandThatTakesInputBelongsBeforeTheBar() async {
        await test.run("let rows = [{a: 1} {a: 2}]")
        #expect(await fix("map $rows") == "$rows | map")
        #expect(await fix("count $rows") == "$rows | count")
    }

    @Test func aTimeOfTwoWordsIsOneWhenItIsQuoted() async throws {
        let place = "declination 46.5,7.9 --on"
        #expect(await test.result("\(place) 'tomorrow 22:00'").failure == nil)
        #expect(await test.result("let t = 'friday 8am'; \(place) $t").failure == nil)
        #expect(await test.result("\(place) 8am").failure == nil)
        #expect(await test.result("\(place) '12/02'").failure?.code == "E-ARG-KIND")
        #expect(await fix("\(place) tomorrow 22:00") == "--on 'tomorrow 22:00'")
        #expect(await test.run("clock 'tomorrow 22:00'") == "2026-02-07T22:00:00Z")
        #expect(await test.result("clock 'soon'").failure?.code == "E-CLOCK")
    }

    @Test func nothingIsSavedFromNothing() async {
        let result = await test.result("save session.md")
        #expect(result.failure?.code == "E-INPUT-KIND")
        #expect(result.failure?.fix == "notebook save 'session.md'")
        #expect(await test.result("save rows.csv").failure?.code == "E-INPUT-KIND")
    }

    @Test func theSecondWordOfACommandFindsIt() async throws {
        let huts = try TestSession(plugins: { [HutPlugin()] })
        let failure = await huts.result("near 42.5,1.5").failure
        #expect(failure?.code == "E-COMMAND-UNKNOWN")
        #expect(failure?.suggestion == "hut near")
    }

    @Test func wordsThatHelpKnowsLeadToIt() async {
        let failure = await test.result("screenshot").failure
        #expect(failure?.code == "E-COMMAND-UNKNOWN")
        #expect(failure?.fix?.contains("help") == true)
    }
}
