import Testing

@testable import LineEditing

/// What Tab does, without a terminal.
struct CompletionStepTests {
    private func decide(_ text: String, _ range: Range<Int>, _ words: [String], space: Bool = true)
        -> CompletionStep
    {
        let candidates = words.map { Completion(replacement: $0, appendsSpace: space) }
        return CompletionStep.decide(
            text: text.scalarValues, answer: CompletionAnswer(range: range, candidates: candidates))
    }

    private func edit(_ text: String, _ cursor: Int) -> CompletionStep {
        .edit(text: text.scalarValues, cursor: cursor)
    }

    @Test func singleCandidates() {
        #expect(decide("way", 0..<3, ["waypoint"]) == edit("waypoint ", 9))
        #expect(decide("way", 0..<3, ["waypoint"], space: false) == edit("waypoint", 8))
        #expect(decide("a 東 b", 2..<3, ["東京"]) == edit("a 東京 b", 5))
        #expect(decide("a 東b", 2..<3, ["東京"]) == edit("a 東京 b", 5))
        #expect(decide("@re", 0..<3, ["@\"Refugi de Juclà\""]) == edit("@\"Refugi de Juclà\" ", 19))
        #expect(decide("done", 0..<4, ["done"]) == edit("done ", 5))
    }

    @Test func commonBeginnings() {
        #expect(decide("w", 0..<1, ["waypoint", "waypoints"]) == edit("waypoint", 8))
        #expect(decide("ref", 0..<3, ["Refugi A", "Refugi B"]) == edit("Refugi ", 7))
        #expect(decide("x Z y", 2..<3, ["Zürich", "Zürs"]) == edit("x Zür y", 5))
    }

    @Test func lists() {
        let list = CompletionStep.list(["alpha", "beta"].map { Completion(replacement: $0) })
        #expect(decide("", 0..<0, ["alpha", "beta"]) == list)
        #expect(decide("a", 0..<1, ["alpha", "beta"]) == list)
        #expect(
            decide("same", 0..<4, ["same", "same1"])
                == .list(["same", "same1"].map { Completion(replacement: $0) }))
    }

    @Test func nothing() {
        #expect(CompletionStep.decide(text: [], answer: nil) == .nothing)
        #expect(decide("abc", 0..<3, []) == .nothing)
        #expect(decide("abc", 0..<4, ["abcd"]) == .nothing)
        #expect(decide("abc", -1..<2, ["abcd"]) == .nothing)
    }

    @Test func prefixesDoNotSplitCharacters() {
        #expect(CompletionStep.commonPrefix(of: ["e\u{301}a", "e\u{300}a"]) == "")
        #expect(CompletionStep.commonPrefix(of: ["abc", "abd", "ab"]) == "ab")
        #expect(CompletionStep.commonPrefix(of: []) == "")
    }

    @Test func requestsKnowTheTextBeforeTheCursor() {
        #expect(CompletionRequest(text: "東京 x", cursor: 2).textBeforeCursor == "東京")
    }
}
