import { personInTab } from './person-in-tab.js'

/** The person of this tab. It ends with the tab: no address, file or link contains it, and no other tab reads it. */
export const { credential, login, signInWith, endLogin, isSamePerson, forgetPerson, ofPerson } = personInTab(() => sessionStorage)
