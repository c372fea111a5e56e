import Notebooks
import Pictures
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

@Suite struct SweepTests {
    @Test func aSweepIsATableAndAPicture() async throws {
        let test = try TestSession()
        let text = await test.run("sweep x [1 2 3] { $x * $x }")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0...3] == ["x  result", "1       1", "2       4", "3       9"])
        #expect(lines.count > 8, "the plot follows")
        #expect(await test.run("sweep x 0m..10m { $x } --steps 3 | get result") == "0m\n5m\n10m")
        #expect(await test.run("sweep x 0..1 { $x } --steps 3 | get result") == "0\n0.5\n1")
        let value = try await test.value("sweep x [1 2] { {a: $x, b: 'word'} }")
        #expect(value.object(as: Sweep.self)?.chart?.series.count == 1)
    }

    @Test func theParameterIsAsBefore() async throws {
        let test = try TestSession()
        await test.run("let x = 7")
        await test.run("sweep x [1 2] { $x }")
        #expect(await test.run("$x") == "7")
        await test.run("sweep x [1 2] { 1 / 0 + nonsense }")
        #expect(await test.run("$x") == "7")
    }

    @Test(arguments: [
        ("sweep x [] { $x }", "E-ARG-RANGE"), ("sweep x 1..m { $x }", "E-ARG-RANGE"),
        ("sweep x 1m..5s { $x }", "E-ARG-RANGE"), ("sweep x [1 2] { $x } --steps 3", "E-ARG-RANGE"),
        ("sweep x [1 2] { [1 2] }", "E-DATA-ROWS"), ("sweep x 5 { $x }", "E-ARG-RANGE"),
    ])
    func badInputIsRefused(_ line: String, _ code: String) async throws {
        let result = try await TestSession().result(line)
        #expect(result.failure?.code == code, "\(result.text)")
    }

    @Test func anAnswerSeesTheSessionAndChangesNothing() async throws {
        let test = try TestSession()
        await test.run("let a = 3km")
        let hosted = HostedSession(test.session)
        #expect(await hosted.answer("let b = $a / 2; $b").text == "1.5km")
        #expect(await test.result("$b").failure != nil)
        #expect(await hosted.answer("def f [] { 1 }").errorCode == "E-READ-ONLY")
        #expect(await hosted.answer("quit").failed)
        #expect(await hosted.answer("$a").text == "3km")
    }
}
