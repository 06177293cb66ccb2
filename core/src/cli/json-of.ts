/** What a server of this version answers to a request, as its routes declare it. */
export const jsonOf = async <T>(answer: Response): Promise<T> => (await answer.json()) as T
