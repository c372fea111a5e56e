import Formats
import Testing

struct HTMLFragmentTests {
    @Test(
        "the words of a fragment",
        arguments: [
            ("Mill Lane", "Mill Lane"), ("a < b & c", "a < b & c"), ("3<4>2", "3<4>2"),
            ("&copy; <a href=\"x?a=1&amp;b=2\">Maps</a>", "© Maps"), ("A&amp;B &#8211; &#x41;", "A&B – A"),
            ("one<br>two<!-- three -->", "one two"), ("&unknown; &#0;", "&unknown; &#0;"), ("<", "<"),
        ])
    func words(html: String, text: String) { #expect(HTMLFragment.plain(html) == text) }

    @Test(
        "the lines of a text that may be a fragment",
        arguments: [
            ("<p>Closed.</p><!-- until\nMay --><p>Use <b>B</b>&nbsp;</p>", "Closed.\nUse B"),
            ("Use <Exit B> & go", "Use <Exit B> & go"), ("<!-- open", "<!-- open"),
            ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
        ])
    func lines(html: String, text: String) { #expect(HTMLFragment.lines(html) == text) }

    @Test("comments without an end cost no more than other text", .timeLimit(.minutes(1)))
    func openComments() {
        let html = String(repeating: "<!-- <a ", count: 50_000)
        #expect(HTMLFragment.plain(html) == html)
    }

    @Test(arguments: [
        ("Tom &amp; Ann", "&amp;"), ("<Exit B> <b>North</b>", "<b>"), ("A < B & C", nil),
        ("<Center Street>", nil),
    ])
    func aMarkIsFoundInNames(name: String, mark: String?) {
        #expect(HTMLFragment.mark(in: name).map(String.init) == mark)
    }

    @Test(arguments: [
        ("\u{FEFF} \n<!DOCTYPE html><p>Sign in", true), ("<!-- x --><HTML lang=\"en\">", true),
        ("<gpx>", false),
        ("html", false),
    ])
    func aPageIsKnownByItsBeginning(text: String, isPage: Bool) {
        #expect(HeadText(Array(text.utf8)).isWebPage == isPage)
    }
}
