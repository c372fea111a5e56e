import PluginTestKit
import Testing

@testable import Workbench

/// Completion wherever a value is allowed.
struct CompletionTests {
    private func candidates(_ text: String) async throws -> [String] {
        let test = try TestSession(plugins: { [HutPlugin()] })
        await test.run("let height = 5m")
        return await test.session.completions(of: text).candidates.map(\.replacement)
    }

    @Test(arguments: [
        ("cou", ["count"]), ("range 1 2 | fir", ["first"]), ("$hei", ["$height"]),
        ("range 1 2 | sort-by --des", ["--descending"]), ("1 + $hei", ["$height"]),
        ("set unit", ["units"]), ("set units imp", ["imperial"]), ("help notebook sa", ["save"]),
        ("explain E-UNIT-U", ["E-UNIT-UNKNOWN"]), ("expect-error E-UNIT-U", ["E-UNIT-UNKNOWN"]),
    ])
    func words(text: String, expected: [String]) async throws {
        #expect(try await candidates(text) == expected)
    }

    @Test(arguments: ["@", "(@", "[@", "let a = @", "let a=@", "1 + @", "range 1 2 | where it == @"])
    func references(before: String) async throws {
        let all = try await candidates(before)
        #expect(!all.isEmpty)
        let first = try #require(all.first)
        #expect(first.contains("@"))
        let begun = String(before + first.drop { $0 != "@" }.dropFirst().prefix(2))
        #expect(try await candidates(begun).contains(first), "\(begun)")
    }
}
