import Core
import Testing

@Suite struct BoundedRegexTests {
    @Test(arguments: [
        ("\\p{L}+", "12 abc", true), ("^b", "ab", false), ("(?i)LAC", "Estany del lac", true),
        ("x*", "", true),
    ])
    func findsAnywhere(_ pattern: String, _ text: String, _ isFound: Bool) throws {
        let regex = try #require(BoundedRegex(pattern))
        #expect(regex.search(text) == (isFound ? .found : .notFound))
    }

    @Test func matchesWholeRanges() throws {
        let regex = try #require(BoundedRegex("a|ab", matching: .all))
        #expect(regex.search("xaby", in: 1..<3) == .found)
        #expect(regex.search("xaby", in: 1..<4) == .notFound)
    }

    @Test(arguments: ["(", "a)(b", "[b-a]", "*"])
    func refusesWhatIsNoExpression(_ pattern: String) {
        #expect(BoundedRegex(pattern).map { _ in true } == nil)
        #expect(BoundedRegex(pattern, matching: .all).map { _ in true } == nil)
    }

    /// The whole search would take 2⁴⁰ steps.
    @Test func givesUpInsteadOfGuessing() throws {
        let regex = try #require(BoundedRegex("(a+)+$"))
        #expect(regex.search(String(repeating: "a", count: 40) + "b") == .tooSlow)
    }

    @Test func stopsWithItsTask() async throws {
        let regex = try #require(BoundedRegex("(a+)+$"))
        let search = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return regex.search(String(repeating: "a", count: 40) + "b")
        }
        #expect(await search.value == .cancelled)
    }
}
