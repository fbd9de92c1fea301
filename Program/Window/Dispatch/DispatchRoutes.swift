import Hummingbird

/// The pages of dispatchers: the table of orders, one order with its history, and the forms to create, edit and import orders.
struct DispatchRoutes: AppRoutes {
    static let tableScreen = "dispatch"
    static let orderScreen = "dispatch-order"

    let account: AccountService
    let cookie: TokenCookie
    let repository: OrderRepository
    let renderer: PageRenderer
    let sessions: WindowSessions
    let clock: any Clock<Duration>
    let mapSource: MapSource
    /// Makes the idempotency keys of forms.
    let makeKey: @Sendable () -> String
    /// The reads of tables, which all pages share.
    let reads = JoinedReads<DispatchQuery, RenderedTable>()

    func add(to router: Router<WindowContext>) {
        addPages(to: router)
        addOrderForms(to: router)
        addCommands(to: router)
        addFiles(to: router)
    }

    func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> (any WindowScreen)? {
        guard [Self.tableScreen, Self.orderScreen].contains(description.screen) else { return nil }
        guard let token, let person = try await account.person(withToken: token), person.isDispatcher else { throw PageError.signedOut }
        let dispatcher = dispatcher(person, service(token: token), in: language)
        if description.screen == Self.tableScreen { return try await tableScreen(DispatchQuery(description.row), for: dispatcher) }
        guard let id = description.row.flatMap({ Int($0) }), let (order, position) = try await dispatcher.service.orderAtPosition(id) else {
            throw PageError.noSuchOrder
        }
        return orderScreen(order, at: position, for: dispatcher)
    }
}

// MARK: - Paths

extension DispatchRoutes {
    private static let path = DispatchQuery.path

    private func addPages(to router: Router<WindowContext>) {
        router.get(RouterPath(Self.path)) { request, _ in try await tablePage(request) }
        router.get("\(Self.path)/orders/:id") { request, context in
            let id = try context.parameters.require("id", as: Int.self)
            return try await withVisit(request, reading: { service in try await service.orderAtPosition(id) }) { visit, content in
                try orderPage(content, for: visit)
            }
        }
        router.get("\(Self.path)/orders/:id/proofs/:digest") { request, context in
            let id = try context.parameters.require("id", as: Int.self)
            let digest = try context.parameters.require("digest")
            return try await withVisit(request) { visit in try await proof(digest, of: id, for: visit) }
        }
    }

    private func addOrderForms(to router: Router<WindowContext>) {
        router.get("\(Self.path)/orders/new") { request, _ in
            try await withVisit(request) { visit in newForm(for: visit) }
        }
        router.post("\(Self.path)/orders/new") { request, _ in
            try await withForm(request) { visit, form in try await create(form, for: visit) }
        }
        router.get("\(Self.path)/orders/:id/edit") { request, context in
            let id = try context.parameters.require("id", as: Int.self)
            return try await withVisit(request) { visit in try await editForm(id, for: visit) }
        }
        router.post("\(Self.path)/orders/:id/edit") { request, context in
            let id = try context.parameters.require("id", as: Int.self)
            return try await withForm(request) { visit, form in try await edit(id, form, for: visit) }
        }
    }

    private func addCommands(to router: Router<WindowContext>) {
        for command in DispatchCommand.allCases {
            router.post("\(Self.path)/orders/:id/\(command.rawValue)") { request, context in
                let id = try context.parameters.require("id", as: Int.self)
                return try await withForm(request) { visit, form in try await perform(command, on: id, form, for: visit) }
            }
        }
    }

    private func addFiles(to router: Router<WindowContext>) {
        router.get("\(Self.path)/import") { request, _ in
            try await withVisit(request) { visit in importPage(nil, for: visit) }
        }
        router.post("\(Self.path)/import") { request, _ in
            try await withVisit(request) { visit in try await importFile(for: visit) }
        }
        router.get("\(Self.path)/export") { request, _ in
            try await withVisit(request) { visit in try await exportFile(for: visit) }
        }
    }
}
