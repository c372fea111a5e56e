import Testing

@testable import Pages

/// Pages that are opened from a disk.
struct WebPageTests {
    /// A picture from another machine would tell it that the page was opened.
    @Test func aPageLoadsNothingFromOtherMachines() throws {
        let page = WebPage(title: "A", body: "<img src=\"http://tracker.example/p.png\">", plays: false).text
        let policy = try #require(page.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
        #expect(policy.contains("default-src 'none'"))
        for source in policy.split(separator: ";").flatMap({ $0.split(separator: " ").dropFirst() }) {
            #expect(["'none'", "'self'", "'unsafe-inline'", "data:", "blob:", "file:"].contains(source))
        }
        #expect(
            try #require(page.firstRange(of: policy)).lowerBound
                < #require(page.firstRange(of: "<img")).lowerBound)
    }
}
