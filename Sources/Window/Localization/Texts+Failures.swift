import Foundation
import LadingHTTP
import LadingOperations
import Orders

// The reasons of failures. English ones are those that the errors give themselves, as on the terminal; every other language stands here.
extension Texts {
    /// What went wrong, at its root, for people.
    func reason(_ error: any Error) -> String {
        let cause = OperationError.rootCause(of: error)
        let reason =
            switch language {
            case .english: "\(cause)"
            case .german: inGerman(cause)
            }
        return reason.clipped(to: Self.reasonLimit)
    }

    /// In characters: a reason may repeat what a server sent.
    private static let reasonLimit = 300

    /// What a request was refused for, in whole sentences.
    func sentence(_ refusal: Refusal) -> String {
        switch refusal {
        case .noSuchOrder:
            say(en: "This order is not in the list any more.", de: "Diese Bestellung steht nicht mehr in der Liste.")
        case .nothingHere: say(en: "There is nothing at this address.", de: "Unter dieser Adresse gibt es nichts.")
        case .noSuchScreen: say(en: "There is no such screen.", de: "So eine Ansicht gibt es nicht.")
        case .windowGone: say(en: "This page is not known any more.", de: "Diese Seite ist nicht mehr bekannt.")
        case .tooManyPages: say(en: "Too many pages are open.", de: "Es sind zu viele Seiten offen.")
        case .foreignPage:
            say(en: "Only pages of this server may do this.", de: "Das dürfen nur Seiten dieses Servers.")
        case .foreignHost:
            say(
                en: "This program answers to the name localhost only; started with --host it answers to others too.",
                de: "Dieses Programm antwortet nur auf den Namen localhost; mit --host gestartet auch auf andere.")
        case .unreadable: say(en: "This cannot be read.", de: "Das ist nicht lesbar.")
        case .tooLong: say(en: "That is more than a page has to say.", de: "Das ist mehr, als eine Seite zu sagen hat.")
        }
    }

    private func inGerman(_ error: any Error) -> String {
        switch error {
        case let error as BackendError: inGerman(error)
        case let error as OrderDocumentError: inGerman(error)
        case let error as RecordingError: inGerman(error)
        case let objection as URLPolicy.Objection: inGerman(objection)
        case let error as PictureStore.NoPicture: "kein Bild, sondern \(error.mediaType ?? "etwas ohne Typ")"
        default: "\(error)"
        }
    }

    private func inGerman(_ error: BackendError) -> String {
        let server = error.url.authority ?? error.url.absoluteString
        return switch error {
        case .unreachable: "\(server) ist nicht erreichbar"
        case .timedOut(_, let duration): "das Warten auf \(server) wurde nach \(inGerman(duration)) aufgegeben"
        case .interrupted: "die Verbindung zu \(server) ist abgebrochen"
        case .malformedReply: "die Antwort von \(server) ist kein gültiges HTTP"
        case .status(404, let url, _): "nicht gefunden (404): \(url.path)"
        case .status(let status, let url, _): "der Server hat mit \(status) geantwortet\(pauseInGerman(error)): \(url.path)"
        case .bodyTooLarge(_, let limit): "die Antwort ist länger als \(inGerman(bytes: limit))"
        case .overrun(_, let limit):
            "\(server) sendete schneller, als gelesen wurde; aufgegeben mit \(inGerman(bytes: limit)) Ungelesenem"
        case .tooManyRedirects(_, let limit): "mehr als \(number(limit))-mal umgeleitet"
        case .refused(let url, let objection): "\(inGerman(objection)): \(url.absoluteString)"
        case .undecodable(let url, let cause): "\(url.lastPathComponent) ist nicht lesbar: \(inGerman(cause))"
        case .circuitOpen: "\(server) war zuletzt zu oft gestört und wird für einen Moment nicht gefragt"
        }
    }

    private func pauseInGerman(_ error: BackendError) -> String {
        guard let pause = error.wantedPause, pause > .zero else { return "" }
        let style = Duration.UnitsFormatStyle(allowedUnits: [.days, .hours, .minutes, .seconds], width: .wide)
        return " und will \(pause.formatted(style.locale(language.locale))) in Ruhe gelassen werden"
    }

    private func inGerman(_ error: OrderDocumentError) -> String {
        switch error {
        case .tooLong(let limit): "das Dokument ist länger als \(inGerman(bytes: limit))"
        case .tooDeep(let limit): "Elemente sind tiefer als \(number(limit)) verschachtelt"
        case .documentType: "das Dokument nennt einen Dokumenttyp; das wird abgelehnt"
        case .encoding(let name): "die Kodierung \(name) wird nicht gelesen"
        case .malformed(let reason): "kein wohlgeformtes Dokument: \(reason)"
        case .unexpectedRoot(let name, let expected): "das ist ein <\(name)>, kein <\(expected)>"
        case .missing(let path): "<\(path)> fehlt"
        case .notANumber(let path, let text): "<\(path)> ist keine Zahl: \(text.prefix(40))"
        case .outOfRange(let path, let text): "<\(path)> kann nicht \(text.prefix(40)) sein"
        case .noDictionary: "die Liste ist keine Property-Liste mit einem Verzeichnis"
        case .keyIsNoNumber(let key): "die Liste hat einen Schlüssel, der keine Zahl ist: \(key.prefix(40))"
        case .tooManyEntries(let limit): "die Liste hat mehr als \(number(limit)) Einträge"
        case .repeatedKey(let key): "die Liste hat noch einen Eintrag für \(key.prefix(40))"
        case .addressIsNoText(let kind): "die Liste nennt keine Adresse, sondern <\(kind.prefix(40))>"
        case .noAddress(let text):
            text.isEmpty ? "die Liste nennt keine Adresse" : "die Liste nennt keine Adresse: \(text.prefix(80))"
        case .addressTooLong(let limit): "die Liste nennt eine Adresse, die länger ist als \(inGerman(bytes: limit))"
        case .relativeAddress(let text): "die Liste nennt eine Adresse ohne Server: \(text.prefix(80))"
        case .foreignScheme(let scheme): "nur http- und https-Adressen werden geöffnet, nicht \(scheme.prefix(40)):"
        case .unknownItem(let id): "im Katalog gibt es keinen Artikel \(id)"
        }
    }

    private func inGerman(_ error: RecordingError) -> String {
        switch error {
        case .noRecording(let method, let url): "für \(method) \(url) wurde nichts aufgezeichnet"
        case .notWritten(let file, _): "in \(file.path) kann nicht aufgezeichnet werden"
        case .notRead(let file, _): "die Aufzeichnung \(file.path) ist nicht lesbar"
        case .damaged(let file, _): "die Aufzeichnung \(file.path) ist beschädigt"
        case .unknownFormat(let file, let format): "die Aufzeichnung \(file.path) hat das Format \(number(format)) einer späteren Version"
        case .endsHere(let url): "die Antwort von \(url) wurde nicht weiter aufgezeichnet, weil niemand weiterlas"
        case .tooMany(let directory, let limit): "\(directory.path) hat mehr als \(number(limit)) Aufzeichnungen"
        }
    }

    private func inGerman(_ objection: URLPolicy.Objection) -> String {
        switch objection {
        case .scheme: "nur http- und https-Adressen werden geöffnet"
        case .host: "die Adresse nennt keinen Server"
        case .privateAddress: "weder eine Liste noch eine Umleitung darf zu einer privaten Adresse eines anderen Servers führen"
        }
    }

    private func inGerman(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.minutes, .seconds, .milliseconds], width: .wide).locale(language.locale))
    }

    private func inGerman(bytes: Int) -> String { bytes.formatted(.byteCount(style: .memory).locale(language.locale)) }
}
