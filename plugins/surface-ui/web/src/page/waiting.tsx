import { Loader } from '@mantine/core'

export const Waiting = ({ here }: { readonly here: boolean }) => (here ? <Loader size="sm" m="md" aria-label="Loading" /> : null)
